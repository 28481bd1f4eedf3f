"""Whether a log is what Inspect wrote, which reads parts of an `.eval` file without looking at checksums."""

import os
import struct
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO, Final

import pyarrow as pa

from warebench.bounds import check_file, refuse_large
from warebench.errors import UserError

ZSTD: Final = 93
"""Zip's number of a compression that the zipfile module of Python 3.11 does not know."""
HEADER: Final = 30
"""Bytes before the name of a part; the last four tell how long name and extra field are."""


def find_damage(path: Path) -> str:
    """Return what is wrong with a log's bytes; empty when nothing is, or when it is no zip file.

    Nothing is unpacked that would take more than is allowed (`bounds`), whatever its head says it takes.

    Args:
        path: A file that may hold a log.
    """
    part = ""
    try:
        check_file(path)
        if not zipfile.is_zipfile(path):
            return ""
        with zipfile.ZipFile(path) as archive, path.open("rb") as file:
            refuse_large(sum(found.file_size for found in archive.infolist()), path)
            for found in archive.infolist():
                part = found.filename
                whole = _unpack(file, found) if found.compress_type == ZSTD else archive.read(found)
                if len(whole) != found.file_size or zlib.crc32(whole) != found.CRC:
                    return f"torn or unreadable (the checksum of {part} does not fit)"
    except UserError as error:
        return "; ".join(filter(None, (error.what, error.fix)))
    except Exception as error:
        # a damaged file raises whatever the decompressor likes
        return f"torn or unreadable ({part}: {type(error).__name__})"
    return ""


def _unpack(file: BinaryIO, part: zipfile.ZipInfo) -> bytes:
    file.seek(part.header_offset)
    name, extra = struct.unpack("<HH", file.read(HEADER)[-4:])
    file.seek(name + extra, os.SEEK_CUR)
    packed = pa.BufferReader(file.read(part.compress_size))
    whole: bytes = pa.CompressedInputStream(packed, "zstd").read(part.file_size + 1)
    return whole
