; Definitions.
(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(macro_definition name: (_) @name ["{" "(" "["] @contents) @function
(mod_item name: (_) @name body: (_)? @body) @module
(foreign_mod_item body: (_)? @body) @module
(struct_item name: (_) @name body: (field_declaration_list) @body) @struct
(struct_item name: (_) @name) @struct
(union_item name: (_) @name body: (_) @body) @struct
(enum_item name: (_) @name body: (_) @body) @enum
(trait_item name: (_) @name body: (_) @body) @trait
(impl_item "!" @name type: (_) @name body: (_)? @body) @impl
(impl_item trait: (_) @name type: (_) @name body: (_)? @body) @impl
(impl_item type: (_) @name body: (_)? @body) @impl
(type_item name: (_) @name type: (_) @body) @type
(associated_type name: (_) @name) @type

; What they hold.
(enum_variant name: (_) @name body: (field_declaration_list) @body) @variant
(enum_variant name: (_) @name value: (_)? @body) @variant
(field_declaration name: (_) @name) @field
(const_item name: (_) @name value: (_)? @body) @constant
(static_item name: (_) @name value: (_)? @body) @variable
(macro_rule right: (_) @body) @block

; Macros called with a body.
(macro_invocation (token_tree . "{") @body) @block

; Blocks.
(else_clause (if_expression) @skip)
(else_clause (if_expression consequence: (_) @body @end)) @block
(else_clause (block) @body) @block
(if_expression consequence: (_) @body) @block
(match_expression body: (_) @body) @block
(match_arm value: (_) @body) @block
(while_expression body: (_) @body) @block
(loop_expression body: (_) @body) @block
(for_expression body: (_) @body) @block
(unsafe_block (block) @body) @block
(async_block (block) @body) @block
(const_block body: (_) @body) @block
(try_block (block) @body) @block
(gen_block (block) @body) @block
(closure_expression body: (_) @body) @lambda
