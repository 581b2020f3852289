return {
  name = "module",

  -- Starts it.
  setup = function(options)
    return options
  end,

  settings = {
    colors = { "red", "green" },
    on_change = function() end,
  },
}
