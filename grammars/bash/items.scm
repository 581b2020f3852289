; Functions, in both forms.
(function_definition name: (_) @name body: (_) @body) @function

; Variables; those of functions are left out, and those that are given to one command alone.
(command (variable_assignment) @skip)
(declaration_command (variable_assignment) @skip)
(c_style_for_statement (variable_assignment) @skip)
(declaration_command (variable_assignment name: (variable_name) @name value: (_)? @body)) @variable
(variable_assignment name: (variable_name) @name value: (_)? @body) @variable

; A block ends with what its input and output are.
(redirected_statement
  body: [(if_statement) (for_statement) (c_style_for_statement) (while_statement) (case_statement)] @skip)
(redirected_statement body: (if_statement "then" (_) @contents ["fi" (elif_clause) (else_clause)] @close)) @block
(redirected_statement body: [
  (for_statement body: (_) @body)
  (c_style_for_statement body: (_) @body)
  (while_statement body: (_) @body)
]) @block
(redirected_statement body: (case_statement (case_item) @contents "esac" @close)) @block

; Blocks.
(if_statement "then" . ["fi" (elif_clause) (else_clause)] @until) @block
(if_statement "then" (_) @contents ["fi" (elif_clause) (else_clause)] @close) @block
(elif_clause "then" (_) @contents) @block
(elif_clause) @block
(else_clause (_) @contents) @block
(else_clause) @block
(for_statement body: (_) @body) @block
(c_style_for_statement body: (_) @body) @block
(while_statement body: (_) @body) @block
(case_statement (case_item) @contents "esac" @close) @block
(case_statement) @block
(case_item value: (_) ")" (_) @contents) @block
(case_item [";;" ";&" ";;&"] @until) @block
(case_item) @block
