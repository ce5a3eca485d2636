package program

// fuseBounds puts the limits of one quantity together: minLength and maxLength, minimum and
// maximum. It is found out once, and the good path has one branch.
func fuseBounds(p *Program) {
	for _, f := range p.Funcs {
		walk(&f.Body, func(b *Block) {
			var out Block
			for _, op := range *b {
				next, ok := op.(*Bounds)
				if len(out) > 0 && ok {
					if last, also := out[len(out)-1].(*Bounds); also && last.On == next.On && last.Of == next.Of {
						last.Limits = append(last.Limits, next.Limits...)
						continue
					}
				}
				out = append(out, op)
			}
			*b = out
		})
	}
}
