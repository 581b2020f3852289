#!/usr/bin/env lua5.4
-- Queues of jobs.

local log = require("log")
local Queue = { size = 0, limits = { low = 1, high = 2 } }
Queue.__index = Queue

local MAX <const> = 100
local file <close> = io.open("jobs")
local first, second = 1, 2
local unset
local a, b
version = "1.0"

--- A queue without jobs.
-- @treturn Queue
function Queue.new(options)
  local self = setmetatable({}, Queue)
  options = options or {}
  return self
end

--[[ Adds a job,
     behind all others. ]]
function Queue:push(job, ...)
  local function describe(it)
    return ("%s"):format(it)
  end
  if not job then
    error("no job")
  elseif self.size > MAX then -- full
    return nil, "full"
  elseif self.size == 0 then
  else
    log.debug(describe(job))
  end
  for i = 1, select("#", ...) do
    self[i] = select(i, ...)
  end
  for key, value in pairs(self) do print(key, value) end
  while self.busy do
    self:wait()
    -- and again
  end
  repeat
    local done = self:step()
  until done
  do
    local hidden = 1
  end
end -- of push

function Queue.inner.deep:call() end
function empty() end

local function helper(x) return x end
local double = function(x) return 2 * x end
Queue.map = function(self, f)
  return f(self)
end
Queue["quoted name"] = function() end
Queue.handlers = {
  start = function(self)
    return self
  end,
  ["stop now"] = function() end,
  [1] = function() return 1 end;
  nested = {
    deeper = { 1, 2 },
    run = function() end, -- runs
  },
  plain = 1,
  function() return "positional" end,
}

Queue.text = [[
function no_structure()
end
]]
Queue.other = [==[ ]] -- [=[ ]==]

describe("a queue", function()
  local queue
  before_each(function() queue = Queue.new() end)
  it("is empty", function()
    assert.are.equal(0, queue.size)
  end)
end)

local ok, problem = pcall(function()
  return Queue.new()
end)
local made = build(function() return 1 end):with(function() return 2 end)
Queue.sorted = table.sort(jobs, function(x, y)
  return x < y
end)
goto finish
::finish::
if ok then goto finish end

return Queue
