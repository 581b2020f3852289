"""Requests for edits to a real model server, and what becomes of its failures: real.py CACHE."""

import json
import os
import signal
import subprocess
import sys
import time

from server import KEY, Server, Way

FILES = ["tool.py", "entrypoint.txt", "settings_schema.json", "input_schema.json", "usage_instructions.md"]
# How long one request may take, in seconds.
PATIENCE = 60


def environment(port, **settings):
    usual = {"enabled": "true", "base_url": f"http://127.0.0.1:{port}/v1", "api_key": KEY, "eval_mode": "true",
             "temperature": "1", "max_tokens": "1500", "timeout_seconds": "50", "context_budget_tokens": "200000"}
    named = {f"LLM_CHAT_OPS_{name.upper()}": str(value) for name, value in {**usual, **settings}.items()}
    return {**os.environ, **named}


def request(text="pass\n"):
    return json.dumps({
        "tool_id": "0b9c5b0e-6a0c-4c43-9b8b-6f1e8a2d3c4d", "instruction": "Print a greeting.", "conversation": [],
        "active_file": "tool.py", "selection": {"from": 0, "to": 4}, "cursor": {"pos": 4},
        "virtual_files": {name: text if name == "tool.py" else "" for name in FILES},
    }).encode()


def begin(port, **settings):
    return subprocess.Popen(
        [os.environ["OPERATOR_LSP"], "edit-ops"], env=environment(port, **settings),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )


def ask(port, text="pass\n", **settings):
    """The response; its outcome and its message."""
    program = begin(port, **settings)
    said, errors = program.communicate(request(text), PATIENCE)
    assert program.returncode == 0, errors
    assert KEY.encode() not in said + errors, "the key is shown"
    response = json.loads(said)
    assert response["eval"]["outcome"] == "ok" or response["ops"] == [], response
    return response, response["eval"]["outcome"], response["assistant_message"]


def well_formed(cache):
    """Every answer is a proposal: the server's own grammar sees to it. Some fit the files, some do not."""
    outcomes, ops = [], 0
    with Server(cache) as server, Way(server) as way:
        for _ in range(25):
            response, outcome, message = ask(way.port)
            assert "no set of edits" not in message, message
            outcomes.append(outcome)
            ops += len(response["ops"])
            for op in response["ops"]:
                assert op["target_file"] in FILES, op
                assert (op["op"] == "delete") != ("content" in op), op
        assert all(way.requests), "a request was sent again"
    assert set(outcomes) <= {"ok", "truncated", "invalid_response"}, outcomes
    assert outcomes.count("ok") >= 3, outcomes
    return f"{outcomes.count('ok')} of {len(outcomes)} proposals fit, with {ops} ops"


def without_grammar(cache):
    """Without a grammar the model says what is not a proposal, and that is said."""
    with Server(cache) as server:
        _, outcome, _ = ask(server.port, max_tokens=60)
    assert outcome in ("invalid_response", "truncated", "provider_error"), outcome


def wrong_key(cache):
    with Server(cache) as server:
        _, outcome, message = ask(server.port, api_key="another")
    assert outcome == "provider_error" and "does not accept this service's key" in message, message


def context_too_long(cache):
    with Server(cache, context=4096) as server, Way(server) as way:
        _, outcome, message = ask(way.port, text="x = 1\n" * 2000)
        assert outcome == "over_budget" and "cannot take in so much" in message, (outcome, message)
        ask(way.port, max_tokens=20)


def cut_in_the_middle(cache):
    for cut in (1, 40, 400):
        with Server(cache) as server, Way(server, cut) as way:
            _, outcome, message = ask(way.port)
        assert outcome == "provider_error" and "did not arrive whole" in message, (cut, outcome, message)


def killed_in_the_middle(cache):
    with Server(cache, "--ignore-eos") as server:
        program = begin(server.port, max_tokens=20000)
        program.stdin.write(request())
        program.stdin.close()
        wait(server.is_busy)
        server.end()
        said = program.stdout.read()
        assert program.wait(PATIENCE) == 0
        outcome = json.loads(said)["eval"]["outcome"]
        assert outcome == "provider_error", outcome
        _, outcome, message = ask(server.port)
        assert "cannot be reached" in message, message


def cancelled(cache):
    """Who does not wait any more ends the request at once. This server works on for nobody all the same, up to its limit:
    it looks for its client only where it streams."""
    with Server(cache, "--ignore-eos") as server, Way(server) as way:
        # An answer that a grammar makes may be whole before anybody looks.
        way.schema = None
        program = begin(way.port, max_tokens=20000)
        program.stdin.write(request())
        program.stdin.close()
        wait(server.is_busy)
        program.send_signal(signal.SIGINT)
        program.wait(10)
        wait(lambda: way.gone == 1)


def queue_full(cache):
    """One answer takes long; who waits behind it is told so in time."""
    with Server(cache, "--ignore-eos") as server:
        first = begin(server.port, max_tokens=20000)
        first.stdin.write(request())
        first.stdin.close()
        wait(server.is_busy)
        begun = time.monotonic()
        others = [begin(server.port, timeout_seconds=0.5, max_tokens=10) for _ in range(4)]
        for other in others:
            other.stdin.write(request())
            other.stdin.close()
        for other in others:
            outcome = json.loads(other.stdout.read())["eval"]["outcome"]
            assert other.wait(PATIENCE) == 0 and outcome == "timeout", outcome
        assert time.monotonic() - begun < 15
        first.kill()
        first.wait(10)


def not_loaded_yet(cache):
    """A server that has only begun says that it cannot answer now."""
    server = Server(cache)
    try:
        end, messages = time.monotonic() + 20, set()
        while time.monotonic() < end:
            _, outcome, message = ask(server.port, max_tokens=5)
            messages.add(message)
            if outcome in ("ok", "truncated", "invalid_response"):
                break
            assert "cannot be reached" in message or "cannot answer now" in message, message
        else:
            raise AssertionError(messages)
    finally:
        server.end()


def wait(until):
    end = time.monotonic() + 20
    while not until():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def main():
    cases = [well_formed, without_grammar, wrong_key, context_too_long, cut_in_the_middle, killed_in_the_middle,
             cancelled, queue_full, not_loaded_yet]
    wanted = [case for case in cases if len(sys.argv) < 3 or sys.argv[2] in case.__name__]
    failed = 0
    for case in wanted:
        begun = time.monotonic()
        try:
            said = case(sys.argv[1]) or "ok"
        except Exception as error:  # Each case by itself.
            failed += 1
            said = f"FAILED: {type(error).__name__}: {error}"
        print(f"{case.__name__}: {said} ({time.monotonic() - begun:.1f} s)", flush=True)
    print(f"{len(wanted) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    # A shell lets what it starts in the background ignore it, and so would the programs started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
