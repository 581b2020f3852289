# For kakrc, after `eval %sh{kak-lsp}`: operator-lsp for transcripts.

declare-option -docstring 'how kakoune-lsp starts operator-lsp, and its settings' str operator_lsp %{
    [operator-lsp]
    root_globs = [".git"]
    [operator-lsp.settings.operator]
    confirm = "destructive"
}

hook -group operator-lsp global BufCreate .*[.](operator|sham|nesl) %{
    set-option buffer filetype operator
}

hook -group operator-lsp global BufCreate .*[.]txt %{
    set-option buffer filetype text
}

# A buffer's type may be set more than once; the servers that it has already stay.
hook -group operator-lsp global BufSetOption filetype=(markdown|text|operator) %{
    set-option buffer lsp_language_id %val{hook_param_capture_1}
    evaluate-commands %sh{
        case "$kak_opt_lsp_servers" in
            *'[operator-lsp]'*) ;;
            *) echo 'set-option -add buffer lsp_servers %opt{operator_lsp}' ;;
        esac
    }
}

hook -group operator-lsp global WinSetOption filetype=(markdown|text|operator) %{
    lsp-enable-window
}
