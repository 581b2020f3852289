; What JavaScript alone has.
(class_body
  (field_definition
    property: (_) @name value: (arrow_function body: (_) @body)) @method . ";"? @end)
(class_body
  (field_definition
    property: (_) @name value: (function_expression body: (_) @body)) @method . ";"? @end)
(field_definition value: [(arrow_function) (function_expression)] @skip)
(class_body (field_definition property: (_) @name value: (_)? @body) @field . ";"? @end)
(using_declaration (variable_declarator name: (_) @name value: (_)? @body) @constant)
