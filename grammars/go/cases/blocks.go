package shapes

func branches(p *Point) error {
	// above a statement, not of it
	if x := f(1); x > 2 {
		return nil
	} else if x < 1 {
		return err
	} else {
		x++
	} // after
	if err != nil {
		return err
	}
	switch {
	case i > 1, i < 0:
		return nil
	case i == 3:
	default:
		x++
		// the last word
	}
	switch v := x.(type) {
	case int, string:
		_ = v
	}
	select {
	case <-done:
	case v := <-ch:
		_ = v
	default:
	}
	return nil
}

func loops() {
	defer func() { recover() }()
	go p.loop()
outer:
	for i := range y {
		break outer
	}
	for i := 0; i < 3; i++ {
	}
	for {
	}
again:
	switch x {
	}
	tests := []struct{ name string }{{"a"}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			type local struct{ a int }
			const here = 3
		})
	}
}
