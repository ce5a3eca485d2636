package program

func remember(p *Program) {
	for _, f := range p.Funcs {
		f.Memo, f.Counted = f.plan.Memo, f.plan.Counted
	}
}
