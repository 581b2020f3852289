; Tables, each up to the next one.
(table . (_) @name (pair)? @contents) @key
(table_array_element . (_) @name (pair)? @contents) @key

; Keys, at any depth.
(pair . (_) @name (_) @body) @key
