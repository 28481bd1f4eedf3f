"""The seccomp filter of the sandbox: which system calls model-written code may not make.

bubblewrap takes a compiled classic BPF program on a file descriptor. The program below allows all but a short
list, because Python itself needs hundreds of calls; namespaces, rlimits and a foreign uid do the rest. No
socket of any family can be opened: a network namespace does not hold AF_VSOCK and its kin. Only pairs of Unix
sockets can, which lead nowhere but back, and which asyncio needs.
"""

import platform
import struct

from warebench.errors import RunError

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# name: (x86_64, aarch64), from the kernel's unistd.h
_DENIED: dict[str, tuple[int, int]] = {
    # other namespaces and mounts: ways out of the box
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    # ways to the network, to the host of a virtual machine and to the kernel's own services
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    # kernel surface no graph question needs
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    # memory that RLIMIT_AS does not count once it is detached
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # the machine itself
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "syslog": (103, 116),
    "fanotify_init": (300, 262),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "personality": (135, 92),
}
_SOCKETPAIR = {"x86_64": 53, "aarch64": 199}
_AF_UNIX = 1
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
# CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET
_NAMESPACE_FLAGS = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
_X32_BIT = 0x40000000

_LOAD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_EPERM, _ENOSYS = 1, 38
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data


def supported() -> bool:
    """Return whether the filter knows this machine's system calls (x86_64, aarch64)."""
    return platform.machine() in _AUDIT_ARCH


def build_filter(machine: str | None = None) -> bytes:
    """Return the compiled filter for bubblewrap's ``--seccomp FD``.

    Args:
        machine: `x86_64` or `aarch64`; this machine when not given.

    Returns:
        Instructions of 8 bytes each (`struct sock_filter`, native byte order).

    Raises:
        RunError: for any other machine.
    """
    machine = machine or platform.machine()
    if machine not in _AUDIT_ARCH:
        raise RunError(f"no system call filter for `{machine}`", fix="run on x86_64 or aarch64")
    column = 0 if machine == "x86_64" else 1
    program = [
        _step(_LOAD, _ARCH),
        _step(_JUMP_EQUAL, _AUDIT_ARCH[machine], true=1),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":  # the x32 ABI would reach every call under a second number
        program += [_step(_JUMP_GREATER_EQUAL, _X32_BIT, false=1), _step(_RETURN, _KILL)]
    for numbers in _DENIED.values():
        program += _refuse(numbers[column], _EPERM)
    # glibc falls back from clone3 to clone, whose flags a filter can read
    program += _refuse(_CLONE3, _ENOSYS)
    program += [
        _step(_JUMP_EQUAL, _SOCKETPAIR[machine], false=4),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(_JUMP_EQUAL, _AF_UNIX, false=1),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERRNO | _EPERM),
        _step(_JUMP_EQUAL, _CLONE[machine], false=3),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(_JUMP_BITS, _NAMESPACE_FLAGS, false=1),
        _step(_RETURN, _ERRNO | _EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(program)


def _refuse(number: int, errno: int) -> list[bytes]:
    return [_step(_JUMP_EQUAL, number, false=1), _step(_RETURN, _ERRNO | errno)]


def _step(code: int, value: int, *, true: int = 0, false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, true, false, value)
