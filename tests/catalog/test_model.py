"""Equal catalogs are equal to the byte, wherever they come from."""

import pickle

import msgspec

from warebench.catalog.model import Catalog, ForeignKey, LineageEdge, Table

CATALOG = Catalog(
    name="c",
    tables=(Table(name="a"), Table(name="b")),
    foreign_keys=(ForeignKey(child="a", parent="b"), ForeignKey(child="b", parent="a", evidence="tested")),
    lineage=(LineageEdge(downstream="a", upstream="b"),),
    source="somewhere",
)
SPELLED_OUT = (
    b'{"name":"c","tables":[{"name":"a"},{"name":"b"}],"foreign_keys":['
    b'{"child":"a","parent":"b","evidence":"declared"},{"child":"b","parent":"a","evidence":"tested"}],'
    b'"lineage":[{"downstream":"a","upstream":"b","evidence":"documented"}],"source":"elsewhere"}'
)


def test_a_catalog_from_another_process():
    other = pickle.loads(pickle.dumps(CATALOG))  # noqa: S301 - our own bytes
    assert msgspec.json.encode(other) == msgspec.json.encode(CATALOG)
    assert other.fingerprint == CATALOG.fingerprint


def test_a_catalog_from_a_file_that_spells_defaults_out():
    other = msgspec.json.decode(SPELLED_OUT, type=Catalog)
    assert other.fingerprint == CATALOG.fingerprint


def test_the_source_does_not_count():
    assert msgspec.structs.replace(CATALOG, source="").fingerprint == CATALOG.fingerprint


def test_evidence_counts():
    inferred = msgspec.structs.replace(CATALOG.foreign_keys[0], evidence="inferred")
    other = msgspec.structs.replace(CATALOG, foreign_keys=(inferred, *CATALOG.foreign_keys[1:]))
    assert other.fingerprint != CATALOG.fingerprint
