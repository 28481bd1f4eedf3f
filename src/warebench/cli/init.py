"""`warebench init`: a settings file to start from."""

from pathlib import Path

import click

from warebench.cli.command import Command
from warebench.cli.output import say, write_text
from warebench.config import FILE_NAME
from warebench.errors import UserError

EXAMPLE = """
warebench init
warebench build topology -v --dry-run     # says where each value came from"""

TEMPLATE = """\
# Settings of warebench. A flag wins over WAREBENCH_COMMAND_FLAG in the environment, and that over this file.
# Keys are the names of the flags; paths are relative to this file.

# [sources.shop]                       # then: warebench build topology --source shop
# path = "shop.duckdb"                 # DuckDB, SQLite, .sql scripts, catalog JSON, dbt:PROJECT
# url_env = "SHOP_DATABASE"            # or: the environment variable that holds the path
# reader = "ddl"                       # found from the content when left out
# dialect = "tsql"                     # of a script; found from the text when left out

[build]
# source = ["shop"]                    # else the five bundled catalogs
# profile = "default"                  # or "paper"
# size = 20                            # questions per subtype and catalog
seed = 7
# subtype = ["join_path", "forward"]   # else all
# param = ["impact_fk_depth=2"]        # choices that change gold
# preset = "default"                   # which syn_logistics
# obfuscate = ["tables"]               # write the twin too
# out = "sets/topology"

[run]
# questions = ["sets/topology"]
# model = ["policy/planner"]           # or any model Inspect knows: "openai/...", "ollama/..."
# method = ["tool_use"]                # or ["all"]
# limit = 100
# limit_per_subtype = 5
# epochs = 1
log_dir = "logs"

[score]
# out = "scores.parquet"

[report]
# out = "report"
# format = ["html", "md", "csv", "json"]
# fail_under = 0.5

[compare]
# by = "subtype"
# alpha = 0.05
# fail_on = "regression"
"""


@click.command(cls=Command, example=EXAMPLE)
@click.option("--force", is_flag=True, help="Replace an existing file.")
def command(force: bool) -> None:
    """Write a commented warebench.toml."""
    path = Path(FILE_NAME)
    if path.exists() and not force:
        raise UserError("the file exists", where=str(path), fix="Give --force to replace it.")
    write_text(path, TEMPLATE)
    say(f"Wrote {path}")
