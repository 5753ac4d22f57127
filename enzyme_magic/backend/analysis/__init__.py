"""Questions about IR, each answered once, frozen, and with its reason. Nothing here changes IR or writes derivatives.

`memory`: which bytes an access touches; `calls`: what calls do; `counts`: integers, loops and formulas; `types`: what bytes hold;
`derivatives`: activity, demand and the cache plan. Each file opens with the lattice or the theorem that it computes.
"""
