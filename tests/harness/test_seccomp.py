"""The filter as bytes: shape, and the verdict on single system calls, by a small BPF machine."""

import struct

import pytest

from warebench.errors import RunError
from warebench.harness.seccomp import build_filter

X86, ARM = 0xC000003E, 0xC00000B7
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026


def judge(program: bytes, arch: int, number: int, argument: int = 0) -> int:
    """Run the program as the kernel would."""
    data = struct.pack("=IIQQ", number, arch, 0, argument)
    steps = [struct.unpack("=HBBI", program[at : at + 8]) for at in range(0, len(program), 8)]
    at, value = 0, 0
    while True:
        code, true, false, constant = steps[at]
        at += 1
        if code == 0x06:
            return constant
        if code == 0x20:
            value = struct.unpack_from("=I", data, constant)[0]
        else:
            holds = {0x15: value == constant, 0x35: value >= constant, 0x45: bool(value & constant)}[code]
            at += true if holds else false


@pytest.mark.parametrize(
    ("machine", "arch", "number", "argument", "expected"),
    [
        ("x86_64", X86, 0, 0, ALLOW),  # read
        ("x86_64", X86, 59, 0, ALLOW),  # execve
        ("x86_64", X86, 272, 0, EPERM),  # unshare
        ("x86_64", X86, 165, 0, EPERM),  # mount
        ("x86_64", X86, 101, 0, EPERM),  # ptrace
        ("x86_64", X86, 435, 0, ENOSYS),  # clone3
        ("x86_64", X86, 56, 17, ALLOW),  # clone as fork does
        ("x86_64", X86, 56, 0x3D0F00, ALLOW),  # clone as a thread does
        ("x86_64", X86, 56, 0x10000011, EPERM),  # clone with a new user namespace
        *(("x86_64", X86, 41, family, EPERM) for family in range(46)),  # socket
        *(("aarch64", ARM, 198, family, EPERM) for family in range(46)),
        ("x86_64", X86, 53, 1, ALLOW),  # socketpair of AF_UNIX
        ("x86_64", X86, 53, 40, EPERM),  # socketpair of AF_VSOCK
        ("aarch64", ARM, 199, 1, ALLOW),
        ("aarch64", ARM, 199, 2, EPERM),
        ("x86_64", X86, 0x40000000 + 272, 0, KILL),  # x32
        ("x86_64", 0x40000003, 0, 0, KILL),  # i386
        ("aarch64", ARM, 63, 0, ALLOW),  # read
        ("aarch64", ARM, 97, 0, EPERM),  # unshare
        ("aarch64", ARM, 220, 0x10000011, EPERM),  # clone with a new user namespace
        ("aarch64", ARM, 220, 17, ALLOW),
        ("aarch64", X86, 63, 0, KILL),
    ],
)
def test_verdicts(machine: str, arch: int, number: int, argument: int, expected: int) -> None:
    # arguments start at byte 16 of seccomp_data: number, arch, instruction pointer come before
    assert judge(build_filter(machine), arch, number, argument) == expected


def test_unknown_machine_is_refused() -> None:
    with pytest.raises(RunError, match="riscv64"):
        build_filter("riscv64")
