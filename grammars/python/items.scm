; Definitions.
(function_definition name: (_) @name body: (_) @body) @function
(class_definition name: (_) @name body: (_) @body) @class
(type_alias_statement left: (_) @name right: (_) @body) @type

; Variables of modules and fields of classes.
(expression_statement
  . (assignment left: (identifier) @name right: (_)? @body) .) @variable

; Blocks.
(if_statement consequence: (_) @body) @block
(elif_clause consequence: (_) @body) @block
(else_clause body: (_) @body) @block
(for_statement body: (_) @body) @block
(while_statement body: (_) @body) @block
(try_statement body: (_) @body) @block
(except_clause (block) @body) @block
(finally_clause (block) @body) @block
(with_statement body: (_) @body) @block
(match_statement body: (_) @body) @block
(case_clause consequence: (_) @body) @block
(lambda body: (_) @body) @lambda
