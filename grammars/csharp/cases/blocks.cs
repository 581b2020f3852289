class Blocks
{
    int All(int n)
    {
        var f = (int x) => x + 1;
        Func<int, int> g = x => { return x; };
        var h = delegate (int x) { return x; };
        // above a statement, not of it
        if (n > 1)
        {
            return 1;
        }
        else if (n < 0)
        {
            return 2;
        }
        else
            return 3;
        for (int i = 0; i < 3; i++) { }
        await foreach (var x in xs) { }
        while (true) { break; }
        do { } while (true);
        switch (n)
        {
            case 1:
            case 2:
                break;
            case int k when k > 3:
                break;
            default:
                break;
        }
        var s = n switch
        {
            1 => "a",
            > 2 and < 3 => "b", // bee
            _ => throw new Exception(),
        };
        try { } catch (Exception e) when (e.X) { } catch { } finally { }
        using (var d = Open()) { }
        using var later = Open();
        lock (this) { }
        fixed (int* p = &x) { }
        unsafe { }
        checked { }
#if DEBUG
        if (n == 4) { }
#elif TRACE
        Trace();
#else
        Other();
#endif
        return 0;
    }
}
