"""How much memory an Arrow stream takes, found from its heads alone: a few kilobytes can mean gigabytes.

Only what is needed of the format is read here: a message's flatbuffer names the buffers of a batch, and a
compressed buffer begins with the number of bytes that it unpacks to.

Reference: Apache Arrow, "Arrow Columnar Format", serialization and interprocess communication.
"""

import struct
from typing import Final

import pyarrow as pa

RECORD_BATCH: Final = "record batch"
DICTIONARY: Final = "dictionary"
_HEADER, _BATCH_OF_DICTIONARY = 2, 1
"""Fields of a message, and of a dictionary."""
_NODES, _BUFFERS, _COMPRESSION = 1, 2, 3
"""Fields of a record batch."""
_PLACE: Final = struct.Struct("<qq")
"""Two numbers: length and gaps of a column, or begin and length of a buffer."""
_ROW: Final = 8
"""Bytes that one cell takes at least, once somebody looks at it: some columns of any length have no bytes."""


def unpacked_size(raw: bytes) -> int:
    """Return how many bytes an Arrow stream takes once it is read. O(buffers), whatever they unpack to.

    Raises:
        ValueError: The bytes are torn (`pyarrow.ArrowInvalid`).
        struct.error: A head is torn.
        OSError: They end too early.
    """
    return sum(_message_size(message) for message in pa.ipc.MessageReader.open_stream(raw))


def _message_size(message: pa.Message) -> int:
    if message.type not in (RECORD_BATCH, DICTIONARY):
        return 0
    head = bytes(message.metadata)
    batch = _follow(head, _field(head, _follow(head, 0), _HEADER))
    if message.type == DICTIONARY:
        batch = _follow(head, _field(head, batch, _BATCH_OF_DICTIONARY))
    cells = sum(length for length, _ in _pairs(head, _field(head, batch, _NODES)))
    return max(_buffers_size(head, batch, message.body), cells * _ROW)


def _buffers_size(head: bytes, batch: int, body: pa.Buffer) -> int:
    buffers = _pairs(head, _field(head, batch, _BUFFERS))
    if not _field(head, batch, _COMPRESSION):
        return sum(length for _, length in buffers)
    said = (struct.unpack_from("<q", body[begin : begin + 8])[0] for begin, length in buffers if length)
    return sum(max(int(size), 0) for size in said) + int(body.size)


def _follow(head: bytes, place: int) -> int:
    """Return where the offset at a place leads to."""
    return place + int(struct.unpack_from("<I", head, place)[0])


def _field(head: bytes, table: int, number: int) -> int:
    """Return where a field of a table stands; 0 where the table has none."""
    names = table - int(struct.unpack_from("<i", head, table)[0])
    entry = 4 + 2 * number
    if entry >= struct.unpack_from("<H", head, names)[0]:
        return 0
    offset = int(struct.unpack_from("<H", head, names + entry)[0])
    return table + offset if offset else 0


def _pairs(head: bytes, field: int) -> list[tuple[int, int]]:
    if not field:
        return []
    start = _follow(head, field)
    count = int(struct.unpack_from("<I", head, start)[0])
    end = start + 4 + count * _PLACE.size
    if end > len(head):
        raise ValueError("a head is torn")
    return list(_PLACE.iter_unpack(head[start + 4 : end]))
