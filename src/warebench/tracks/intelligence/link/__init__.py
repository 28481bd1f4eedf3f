"""Rules out of documents: links to metrics are proposed, and count only once the data confirm them.

`propose` reads names, dates and front matter; `extract` asks a model (it alone needs Inspect); `confirm`
applies the operations and looks whether any answer changes; `truth` writes what is confirmed.
"""
