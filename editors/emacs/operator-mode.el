;;; operator-mode.el --- Edit blocks of chats with language models  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tools
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; A language model answers with text that holds edit blocks.  The
;; language server operator-lsp finds them, says what is wrong with
;; each, and applies one when you say so.  This file tells eglot how to
;; start it, has a mode for files of blocks, and adds the commands that
;; code actions do not cover.
;;
;; In a transcript: M-x eglot, and then the commands of this file or
;; M-x eglot-code-actions.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'jsonrpc)
(require 'project)
(require 'subr-x)

(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function eglot--managed-buffers "eglot")
(declare-function eglot--signal-textDocument/didChange "eglot")
(declare-function eglot--lsp-position-to-point "eglot")
(defvar eglot--docver)
(defvar eglot--versioned-identifier)

(defgroup operator nil
  "Edit blocks of chats with language models."
  :group 'tools)

(defcustom operator-program '("operator-lsp")
  "The language server and its arguments."
  :type '(repeat string))

(defcustom operator-settings nil
  "Settings of the server, as a property list: (:confirm \"always\").
They are its `initializationOptions'; `spec/manual/settings.md' has the list."
  :type '(plist :value-type sexp))

;;;; The mode

(defvar operator-font-lock-keywords
  '(("^\\(?:END_\\)?OPERATOR_\\(?:CMD\\|RESULT\\)$" . font-lock-keyword-face)
    ("^#!\\(?:END_SHAM_\\|end_\\)?[[:alnum:]]+.*$" . font-lock-keyword-face)
    ("^\\(action\\): *\\(.*\\)$"
     (1 font-lock-variable-name-face) (2 font-lock-function-name-face))
    ("^\\([[:alpha:]_][[:alnum:]_]*\\)\\(?::\\| =\\)" 1 font-lock-variable-name-face))
  "What is coloured in files of blocks.")

;;;###autoload
(define-derived-mode operator-mode text-mode "Operator"
  "Major mode for files of edit blocks."
  (setq-local font-lock-defaults '(operator-font-lock-keywords t)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:operator\\|sham\\|nesl\\)\\'" . operator-mode))

;;;; The server

(defclass operator-server (eglot-lsp-server)
  ((shown :initform nil :accessor operator--shown
          :documentation "The changed files that the server was shown, each with its tick."))
  "The language server operator-lsp.")

(cl-defmethod eglot-initialization-options ((_server operator-server))
  "What the server is told of the user's settings."
  (or operator-settings eglot--{}))

(cl-defmethod eglot-handle-notification
  ((_server operator-server) (_method (eql operator/proposalsChanged)) &rest _counts)
  "The counts of blocks: diagnostics say as much.")

(defun operator--contact (&rest _)
  "The class and the command by which eglot has a server."
  (unless (executable-find (car operator-program))
    (user-error "`%s' is not on the PATH; set `operator-program'" (car operator-program)))
  (cons 'operator-server operator-program))

;; Other modes that derive from `text-mode' keep their servers.
(add-to-list 'eglot-server-programs
             '((operator-mode (markdown-mode :language-id "markdown")) . operator--contact))
(add-to-list 'eglot-server-programs '(text-mode . operator--contact) t)

(defconst operator--confirm
  (if (boundp 'eglot-confirm-server-edits)
      'eglot-confirm-server-edits
    'eglot-confirm-server-initiated-edits)
  "What eglot calls the option to ask before it makes a server's edit.")

;; Eglot 1.17 goes on after a no, and has the server believe that the edit was made.
(when (fboundp 'eglot-execute)
  (cl-defmethod eglot-execute :around ((_server operator-server) _action)
    "Run a chosen action without another question."
    (cl-progv (list operator--confirm) '(nil)
      (cl-call-next-method))))

(defun operator--server ()
  "The server of this transcript."
  (let ((server (eglot-current-server)))
    (unless (and server (object-of-class-p server 'operator-server))
      (user-error "No operator-lsp in this buffer: M-x eglot starts it"))
    server))

;;;; What is not saved

;; Eglot gives a server the buffers of its own modes.  The files that blocks
;; change are others: the server is shown those of the project that are changed
;; and not saved, so it never checks a text that is out of date.

(defun operator--unsaved (server)
  "The buffers that SERVER must see."
  (let ((root (expand-file-name (project-root (eglot--project server)))))
    (cl-remove-if-not
     (lambda (buffer)
       (let ((file (buffer-file-name buffer)))
         (and file (buffer-modified-p buffer)
              (string-prefix-p root (expand-file-name file))
              (not (memq buffer (eglot--managed-buffers server))))))
     (buffer-list))))

(defun operator--document ()
  "This file as the server names it."
  (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri)))

(defun operator--version ()
  "The version that eglot expects in edits of this buffer."
  (cond ((boundp 'eglot--docver) eglot--docver)
        ((boundp 'eglot--versioned-identifier) eglot--versioned-identifier)
        (t 0)))

(defun operator--hide (server entry)
  "Tell SERVER that what it was shown in ENTRY is gone: the file is what counts."
  (jsonrpc-notify server :textDocument/didClose (list :textDocument (nth 2 entry)))
  (setf (operator--shown server) (delq entry (operator--shown server))))

(defun operator--show (server buffer)
  "Show SERVER the text of BUFFER."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (jsonrpc-notify
       server :textDocument/didOpen
       (list :textDocument
             (append (operator--document)
                     (list :languageId "plaintext" :version (operator--version)
                           :text (buffer-substring-no-properties (point-min) (point-max)))))))
    (push (list buffer (buffer-chars-modified-tick) (operator--document))
          (operator--shown server))))

(defun operator--sync (server)
  "Bring SERVER up to date with all that is not saved."
  (let ((unsaved (operator--unsaved server)))
    (dolist (entry (operator--shown server))
      (unless (and (memq (car entry) unsaved)
                   (= (nth 1 entry) (buffer-chars-modified-tick (car entry))))
        (operator--hide server entry)))
    (dolist (buffer unsaved)
      (unless (assq buffer (operator--shown server))
        (operator--show server buffer))))
  (dolist (buffer (eglot--managed-buffers server))
    (with-current-buffer buffer
      (eglot--signal-textDocument/didChange))))

(defvar operator--timer nil "Runs while there is a server.")

(defun operator--sync-all ()
  "Bring the running servers up to date; stop looking where there is none."
  (let ((servers (cl-remove-if-not (lambda (server) (object-of-class-p server 'operator-server))
                                   (apply #'append (hash-table-values eglot--servers-by-project)))))
    (mapc #'operator--sync (cl-remove-if-not #'jsonrpc-running-p servers))
    (unless servers
      (cancel-timer operator--timer)
      (setq operator--timer nil))))

(defun operator--watch ()
  "Find unsaved buffers whenever Emacs is idle."
  (when (and (eglot-managed-p) (not operator--timer)
             (object-of-class-p (eglot-current-server) 'operator-server))
    (setq operator--timer (run-with-idle-timer 0.2 t #'operator--sync-all))))

(add-hook 'eglot-managed-mode-hook #'operator--watch)

(defun operator--sync-first (&rest _)
  "Bring the server up to date before it is asked for an edit."
  (let ((server (eglot-current-server)))
    (when (and server (object-of-class-p server 'operator-server))
      (operator--sync server))))

(advice-add 'eglot-code-actions :before #'operator--sync-first)

;;;; Commands

(defun operator--blocks (server)
  "The blocks of this transcript, as SERVER sees them."
  (append (jsonrpc-request server :operator/proposals
                           (list :textDocument (eglot--TextDocumentIdentifier)))
          nil))

(defun operator--index (server)
  "The index that SERVER has for the block at point; an error outside."
  (let ((line (1- (line-number-at-pos nil t))))
    (or (cl-position-if
         (lambda (block)
           (let ((range (plist-get block :range)))
             (<= (plist-get (plist-get range :start) :line)
                 line
                 (plist-get (plist-get range :end) :line))))
         (operator--blocks server))
        (user-error "Point is in no block"))))

(defun operator--run (command &optional argument elsewhere)
  "Have the server run COMMAND, on this transcript where there is an ARGUMENT.
The ARGUMENT is a property list, or t where the transcript is all.  With
ELSEWHERE it is not about this transcript."
  (let* ((server (operator--server))
         (more (and (listp argument) argument))
         (about (and argument (vector (if elsewhere more (append (operator--document) more))))))
    (operator--sync server)
    (condition-case problem
        ;; Whoever runs a command has said yes already.
        (cl-progv (list operator--confirm) '(nil)
          (jsonrpc-request server :workspace/executeCommand
                           (append (list :command command) (and about (list :arguments about)))
                           :timeout 30))
      (jsonrpc-error
       (user-error "%s" (or (alist-get 'jsonrpc-error-message (cdr problem))
                            (error-message-string problem)))))))

(defun operator--on-block (command &rest argument)
  "Have the server run COMMAND on the block at point, with more of an ARGUMENT."
  (let ((server (operator--server)))
    (operator--sync server)
    (operator--run command (append (list :block (operator--index server)) argument))))

(defun operator--done (result text)
  "Say TEXT, or that the RESULT is that nothing was done."
  (if (eq (plist-get result :applied) :json-false)
      (message "Nothing was changed")
    (message "%s; what was changed is not saved yet" text)))

;;;###autoload
(defun operator-apply ()
  "Apply the block at point; insert the reply to one that is for reading only."
  (interactive)
  (operator--done (operator--on-block "operator.apply") "Applied"))

;;;###autoload
(defun operator-apply-and-reply ()
  "Apply the block at point and insert the reply for the model."
  (interactive)
  (operator--done (operator--on-block "operator.apply" :reply t) "Applied, with the reply"))

;;;###autoload
(defun operator-apply-all ()
  "Apply every block of this transcript that can be applied, in order."
  (interactive)
  (operator--done (operator--run "operator.applyAll" t) "Applied everything that can be"))

;;;###autoload
(defun operator-reject ()
  "Insert a reply by which you refuse the block at point."
  (interactive)
  (operator--done (operator--on-block "operator.reject") "Rejected"))

;;;###autoload
(defun operator-reply (&optional one)
  "Put what the model was not told yet on the kill ring.
With a prefix argument ONE, the reply to the block at point."
  (interactive "P")
  (let ((reply (or (if one
                       (operator--on-block "operator.reply")
                     (operator--run "operator.reply" t))
                   "")))
    (if (string-empty-p reply)
        (message "There is nothing new to tell; C-u has the reply to the block at point")
      (kill-new reply)
      (message "The reply is on the kill ring"))))

;;;###autoload
(defun operator-prompt (files request)
  "Put a first message to a model on the kill ring.
It holds the FILES, how to write blocks, and the REQUEST."
  (interactive
   (let* ((project (eglot--project (operator--server)))
          (root (expand-file-name (project-root project)))
          (all (mapcar (lambda (file) (file-relative-name file root)) (project-files project))))
     (list (completing-read-multiple "Files, with commas between: " all nil t)
           (read-string "Request (may be empty): "))))
  (let* ((ask (and (not (string-empty-p request)) (list :ask request)))
         (about (append (list :paths (vconcat files)) ask))
         (prompt (operator--run "operator.prompt" about t))
         (left (append (plist-get prompt :leftOut) nil)))
    (kill-new (plist-get prompt :text))
    (message "%s tokens are on the kill ring%s" (plist-get prompt :tokens)
             (mapconcat (lambda (file)
                          (format "; left out %s: %s"
                                  (plist-get file :path) (plist-get file :reason)))
                        left ""))))

;;;###autoload
(defun operator-undo (&optional id)
  "Undo the last apply, if nothing has changed since.
With a prefix argument ID, undo the operation with that number."
  (interactive "P")
  (if id
      (let ((number (prefix-numeric-value id)))
        (operator--done (operator--run "operator.undo" (list :id number))
                        (format "Undid operation %d" number)))
    (operator--done (operator--run "operator.undo") "Undid the last apply")))

;;;###autoload
(defun operator-redo ()
  "Redo what was undone last, if nothing has changed since."
  (interactive)
  (operator--done (operator--run "operator.redo") "Redid what was undone last"))

;;;###autoload
(defun operator-preview ()
  "Show what the block at point would change, as a diff."
  (interactive)
  (let* ((preview (operator--on-block "operator.preview"))
         (files (append (plist-get preview :files) nil)))
    (unless files
      (user-error "This block changes no file"))
    (with-current-buffer (get-buffer-create "*operator preview*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (dolist (file files)
          (insert (plist-get file :diff) "\n"))
        (goto-char (point-min))
        (diff-mode)
        (setq buffer-read-only t)
        (set-buffer-modified-p nil))
      (display-buffer (current-buffer)))))

(defun operator--in-order (items)
  "A completion table of ITEMS that are shown in their own order."
  (lambda (text predicate action)
    (if (eq action 'metadata)
        '(metadata (display-sort-function . identity) (cycle-sort-function . identity))
      (complete-with-action action items text predicate))))

;;;###autoload
(defun operator-inbox ()
  "Choose a block of this transcript by its status, and go to it."
  (interactive)
  (let* ((number 0)
         (blocks (mapcar (lambda (block)
                           (cons (format "%d %s: %s" (cl-incf number)
                                         (plist-get block :status) (plist-get block :summary))
                                 block))
                         (operator--blocks (operator--server)))))
    (unless blocks
      (user-error "No blocks in this transcript"))
    (let* ((chosen (completing-read "Block: " (operator--in-order blocks) nil t))
           (range (plist-get (cdr (assoc chosen blocks)) :range)))
      (push-mark)
      (goto-char (eglot--lsp-position-to-point (plist-get range :start))))))

(provide 'operator-mode)
;;; operator-mode.el ends here
