"""The kit of pictures: style, panels, cells, bars, label placing, and files of figures."""
