# For kakrc, after `eval %sh{kak-lsp}`: operator-lsp for transcripts.

hook global BufCreate .*[.](operator|sham|nesl) %{
    set-option buffer filetype operator
}

hook global BufCreate .*[.]txt %{
    set-option buffer filetype text
}

hook -group operator-lsp global BufSetOption filetype=(markdown|text|operator) %{
    set-option -add buffer lsp_servers %{
        [operator-lsp]
        root_globs = [".git"]
        [operator-lsp.settings.operator]
        confirm = "destructive"
    }
    set-option buffer lsp_language_id %val{hook_param_capture_1}
}

hook -group operator-lsp global WinSetOption filetype=(markdown|text|operator) %{
    lsp-enable-window
}
