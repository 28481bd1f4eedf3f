"""Forty ways out of the Python sandbox: each is refused, as the program itself tells."""

import pytest
from tests.harness.inside import seen

pytestmark = pytest.mark.usefixtures("sandbox")

PRELUDE = """
import ctypes, signal, socket, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)

def syscall(*arguments):
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")

def read(path):
    return open(path, "rb").read(64) or missing()

def missing():
    raise OSError("nothing there")

def write(path):
    open(path, "wb").write(b"x")

def listed(path):
    return os.listdir(path) or missing()
"""

ESCAPES = {
    **{
        f"socket {name}": f"socket.socket({number}, {kind}, {protocol})"
        for name, number, kind, protocol in (
            ("unix", 1, 1, 0),
            ("inet", 2, 1, 0),
            ("inet datagram", 2, 2, 0),
            ("inet raw", 2, 3, 1),
            ("inet6", 10, 1, 0),
            ("netlink", 16, 3, 0),
            ("packet", 17, 3, 0),
            ("bluetooth", 31, 3, 0),
            ("alg", 38, 5, 0),
            ("vsock", 40, 1, 0),
            ("xdp", 44, 3, 0),
            ("tipc", 30, 5, 0),
            ("can", 29, 3, 1),
            ("qipcrtr", 42, 2, 0),
        )
    },
    "socketpair of another family": "socket.socketpair(2, 1, 0)",
    "abstract unix socket": "socket.create_server('\\0x', family=socket.AF_UNIX)",
    "io_uring": "syscall(425, 8, ctypes.create_string_buffer(120))",
    "name look-up": "socket.getaddrinfo('example.org', 80)",
    "new user namespace": "syscall(272, 0x10000000) if os.uname().machine == 'x86_64' else missing()",
    "new network namespace": "os.unshare(0x40000000) if hasattr(os, 'unshare') else missing()",
    "mount": "(libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0) or missing()",
    "chroot": "os.chroot('/tmp')",
    "ptrace of its keeper": "(libc.ptrace(16, 1, 0, 0) == 0) or missing()",
    "memory of its keeper": "open('/proc/1/mem', 'r+b')",
    "environment of its keeper": "read('/proc/1/environ')",
    "root of its keeper": "listed('/proc/1/root' + '/etc')",
    "passwords": "read('/etc/passwd')",
    "log of the host": "listed('/var/log')",
    "home folders": "listed('/home')",
    "host's temporary files by the parent": "listed('/files/../../tmp/..' + '/etc')",
    "its own program": "write('/files/main.py')",
    "standard library": "write(os.__file__)",
    "a package": "write('/packages/networkx/__init__.py')",
    "the launcher": "write('/launch.py')",
    "a kernel setting": "write('/proc/sys/kernel/core_pattern')",
    "devices": "os.mknod('/tmp/sda', 0o660 | 0o060000, os.makedev(8, 0))",
    "kernel memory": "read('/dev/mem')",
    "sysfs": "listed('/sys')",
    "a shell": "subprocess.run(['/bin/sh', '-c', 'id'], check=True)",
    "another user": "os.setuid(0)",
    "a set-uid copy": "os.chown('/tmp', 0, 0)",
    "higher limits": "__import__('resource').setrlimit(7, (9999, 9999))",
    "memory without a name": "os.memfd_create('x')",
    "priority": "os.nice(-5)",
    "host name": "socket.sethostname('x')",
    "clock": "__import__('time').clock_settime(0, 0)",
    "the product": "__import__('warebench')",
    "a container's socket": "read('/var/run/docker.sock')",
}


def test_no_escape_succeeds() -> None:
    """All in one sandbox, for speed: each must raise, and the program reports those that did not."""
    program = f"{PRELUDE}\nfound = []\nfor name, code in {ESCAPES!r}.items():\n"
    program += (
        "    try:\n        eval(code)\n    except (OSError, ImportError, ValueError):\n        continue\n"
    )
    program += "    found.append(name)\nprint(json.dumps(found))"
    assert len(ESCAPES) >= 40
    assert seen(program) == []


def test_asyncio_and_processes_still_work() -> None:
    code = """
import asyncio, multiprocessing, subprocess, sys
async def main():
    await asyncio.sleep(0)
    return 6 * 7
queue = multiprocessing.get_context("fork").SimpleQueue()
child = multiprocessing.get_context("fork").Process(target=queue.put, args=(3,))
child.start(); child.join()
said = subprocess.run([sys.executable, "-c", "print(5)"], capture_output=True, text=True).stdout
print(json.dumps([asyncio.run(main()), queue.get(), said]))
"""
    assert seen(code) == [42, 3, "5\n"]
