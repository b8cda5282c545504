# frozen_string_literal: true

module Micro
  # An 8-bit processor of our own that runs a sieve for the primes below 256: a loop that reads a
  # byte, branches on it and changes registers, as emulators of game consoles do.
  class Emulator < Computed
    EXPECTED = 54
    RUNS = 60

    PROGRAM = <<-ASSEMBLY
             ldx 0
             lda 1
      fill:  stx 256
             inx
             jnz fill
             lda 2
             sta 0
      outer: lda_ 0
             tax
             lax 256
             jz next
             lda_ 0
      loop:  add 0
             jc next
             sta 1
             tax
             lda 0
             stx 256
             lda_ 1
             jmp loop
      next:  lda_ 0
             inc
             sta 0
             cmp 16
             jnz outer
             lda 0
             sta 2
             ldx 2
      count: lax 256
             add 2
             sta 2
             inx
             jnz count
             halt
    ASSEMBLY

    # lda, ldx: load a constant into a register; lda_, sta, add: use the byte at an address; lax,
    # stx: use the byte at an address plus X; jz, jnz, jc: jump if the last result was 0, was not
    # 0, was above 255; cmp: subtract a constant from A, keeping only the result.
    OPCODES = %w[lda lda_ sta lax stx ldx tax inx inc add cmp jz jnz jc jmp halt].freeze

    def initialize
      super
      @code = assemble
    end

    private

    # [opcode, operand, opcode, ...]; labels are positions in this list.
    def assemble
      lines = PROGRAM.lines.map { |line| line.match(/\A\s*(?:(\w+):)?\s*(\w+)\s*(\w+)?/).captures }
      labels = Hash[lines.each_with_index.map { |(label, _, _), index| [label, 2 * index] }]
      lines.flat_map do |_, name, operand|
        [OPCODES.index(name), labels.fetch(operand) { operand.to_i }]
      end
    end

    def compute
      Array.new(RUNS) { execute }.uniq.inject(:+)
    end

    # The number of primes.
    def execute
      @memory = Array.new(512, 0)
      @a = @x = @result = @position = 0
      @carry = @halted = false
      step until @halted
      @memory[2]
    end

    def step
      opcode, operand = @code[@position], @code[@position + 1]
      @position += 2
      case opcode
      when 0 then @result = @a = operand
      when 1 then @result = @a = @memory[operand]
      when 2 then @memory[operand] = @a
      when 3 then @result = @a = @memory[operand + @x]
      when 4 then @memory[operand + @x] = @a
      when 5 then @result = @x = operand
      when 6 then @x = @a
      when 7 then @result = @x = (@x + 1) & 255
      when 8 then @result = @a = (@a + 1) & 255
      when 9 then add(@memory[operand])
      when 10 then @result = (@a - operand) & 255
      when 11 then @position = operand if @result.zero?
      when 12 then @position = operand unless @result.zero?
      when 13 then @position = operand if @carry
      when 14 then @position = operand
      else @halted = true
      end
    end

    def add(byte)
      sum = @a + byte
      @carry = sum > 255
      @result = @a = sum & 255
    end
  end
end
