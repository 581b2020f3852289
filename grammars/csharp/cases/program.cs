using System;

var builder = App.CreateBuilder(args);
builder.Run();
if (args.Length > 0)
{
    Console.WriteLine("x");
}
app.MapGet("/", () => "Hello");

int Add(int a, int b) => a + b;

namespace Inner
{
    class A { }
}
