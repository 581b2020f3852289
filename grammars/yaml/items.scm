; Keys, at any depth, in block and in flow style.
(block_mapping_pair key: (_) @name value: (_) @body) @key
(block_mapping_pair key: (_) @name ":" @until) @key
(block_mapping_pair key: (_) @name) @key
(flow_pair key: (_) @name value: (_) @body) @key
(flow_pair key: (_) @name ":" @until) @key

; Items of sequences: one that is a scalar is called by it, one that begins with a name by that.
(block_sequence_item (flow_node [(plain_scalar) (single_quote_scalar) (double_quote_scalar)] @name)) @item
(block_sequence_item
  (block_node
    (block_mapping
      . (block_mapping_pair
        key: (_) @_key
        value: (flow_node [(plain_scalar) (single_quote_scalar) (double_quote_scalar)] @name)
        (#any-of? @_key "name" "id" "key" "title")))
    (#not-eq? @name ""))) @item
(block_sequence_item) @item
