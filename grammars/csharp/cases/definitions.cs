// License.
#nullable enable
using System;
using static System.Math;
global using Text = System.Text;
[assembly: Version(1)]

namespace App.Core;

/// <summary>A point.</summary>
[Serializable, Named(1)]
public sealed partial class Point<T> : Base<T>, IShape where T : class
{
    public const int Max = 10;
    private readonly int _x = 3, _y; // both
    private int _plain;
    private int _a, _b = 3;
    public event EventHandler? Changed;
    public event EventHandler Moved { add { } remove { } }
    public string Name { get; set; } = "x";
    public int Size => _x * 2;

    [JsonIgnore]
    public int Area
    {
        get { return _x; }
        private set => _x = value;
    }

    public int this[int i] => i;
    static Point() { }
    public Point(int x) : base(x) { _x = x; }
    ~Point() { }
    public static Point<T> operator +(Point<T> a, Point<T> b) => a;
    public static implicit operator int(Point<T> p) => p._x;
    void IShape.Draw() { }

    // runs
    [Obsolete]
    public async Task<int> RunAsync<U>(U u, int n = 3) where U : struct
    {
        int Local(int a) => a;
        return await Task.FromResult(Local(n));
    }

    public abstract void Later(int x);
    private class Nested { }
    // the last word
}

public record Person(string First, string Last);
public record struct Place(int X) { public int Y { get; init; } }
public interface IShape { void Draw(); int Area { get; } }
public enum Color : byte { Red = 1, /* g */ Green, Blue }
public delegate void Handler<T>(object sender, T e);
public struct Value { public int X; }
