; Members, at any depth.
(pair key: (_) @name value: (_) @body) @key
