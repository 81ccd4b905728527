def main(o): return 0
