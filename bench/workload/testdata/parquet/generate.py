"""Writes the Parquet files of TestParquetOfOthers with other libraries.

    pip install duckdb pyarrow && python generate.py
"""

import uuid

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

rows = [(f"user-{i % 7}" if i % 5 else None, i, None if i % 11 == 0 else i * 10, f"t{i % 3}") for i in range(300)]

db = duckdb.connect()
db.execute("create table r (key varchar, count bigint, bytes bigint, tenant varchar)")
db.executemany("insert into r values (?, ?, ?, ?)", rows)
db.execute("copy (select * from r) to 'duckdb.parquet' (format parquet, codec snappy)")
# sum() of integers is a HUGEINT, which DuckDB writes as a double.
db.execute("copy (select key, sum(count) as count from r group by key order by key) to 'duckdb-sum.parquet' (format parquet, codec zstd)")

columns = list(zip(*rows))
table = pa.table({
    "tenant": pa.array(columns[3]).dictionary_encode(),
    "bytes": pa.array(columns[2], pa.int32()),
    "key": pa.array(columns[0], pa.large_string()),
    "count": pa.array(columns[1], pa.uint16()),
})
pq.write_table(table, "pyarrow-v1-gzip.parquet", compression="gzip", row_group_size=128, data_page_size=256, version="1.0")
pq.write_table(table, "pyarrow-v2-lz4.parquet", compression="lz4", row_group_size=128, data_page_size=256, data_page_version="2.0", use_dictionary=False, column_encoding={"key": "DELTA_BYTE_ARRAY", "count": "DELTA_BINARY_PACKED", "bytes": "PLAIN", "tenant": "DELTA_LENGTH_BYTE_ARRAY"})
pq.write_table(pa.table({"key": pa.array([uuid.UUID(int=i % 3).bytes for i in range(10)], pa.uuid())}), "pyarrow-uuid.parquet")
