;; The inner loops of the vector search (WebAssembly SIMD).
;; `scan-code.ts` holds this file compiled: after a change run `npm run build:scan`.
(module
  (memory (import "scan" "memory") 1)

  ;; scores[i] = (query . codes[slots[i]]) * scales[slots[i]], for i below count.
  ;; The query is given as `parts` parts of 16 dimensions. The other dimensions of the query are zero.
  ;; query: int16, 16 of them a part. offsets: int32, the first dimension of each part. codes: int8, `stride` of them a
  ;; slot. scales, scores: float32. slots: int32. The loop handles four slots at once, so that their codes are fetched
  ;; from memory at the same time. The last slots may be handled again: `slots` and `scores` have room for three more.
  ;; A sum stays below 2^31 while query and vector are within their bounds, see scan-kernel.ts.
  (func (export "dots")
    (param $query i32) (param $offsets i32) (param $parts i32)
    (param $codes i32) (param $stride i32) (param $scales i32)
    (param $slots i32) (param $count i32) (param $scores i32)
    (local $slots_end i32) (local $offsets_end i32) (local $at i32) (local $part i32) (local $offset i32)
    (local $code_a i32) (local $code_b i32) (local $code_c i32) (local $code_d i32)
    (local $low v128) (local $high v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $slots_end (i32.add (local.get $slots) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $offsets_end (i32.add (local.get $offsets) (i32.shl (local.get $parts) (i32.const 2))))
    (if (local.get $count) (then
      ;; Repeats the last slot, so that the number of slots is a multiple of four.
      (local.set $at (i32.load (i32.sub (local.get $slots_end) (i32.const 4))))
      (i32.store (local.get $slots_end) (local.get $at))
      (i32.store offset=4 (local.get $slots_end) (local.get $at))
      (i32.store offset=8 (local.get $slots_end) (local.get $at))))
    (block $done
      (loop $next_slots
        (br_if $done (i32.ge_u (local.get $slots) (local.get $slots_end)))
        (local.set $code_a (i32.add (local.get $codes)
          (i32.mul (local.get $stride) (i32.load (local.get $slots)))))
        (local.set $code_b (i32.add (local.get $codes)
          (i32.mul (local.get $stride) (i32.load offset=4 (local.get $slots)))))
        (local.set $code_c (i32.add (local.get $codes)
          (i32.mul (local.get $stride) (i32.load offset=8 (local.get $slots)))))
        (local.set $code_d (i32.add (local.get $codes)
          (i32.mul (local.get $stride) (i32.load offset=12 (local.get $slots)))))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (local.set $part (local.get $query))
        (local.set $at (local.get $offsets))
        (block $summed
          (loop $next_part
            (br_if $summed (i32.ge_u (local.get $at) (local.get $offsets_end)))
            (local.set $offset (i32.load (local.get $at)))
            (local.set $low (v128.load (local.get $part)))
            (local.set $high (v128.load offset=16 (local.get $part)))
            (local.set $a (i32x4.add (local.get $a) (i32x4.add
              (i32x4.dot_i16x8_s (v128.load8x8_s (i32.add (local.get $code_a) (local.get $offset))) (local.get $low))
              (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (i32.add (local.get $code_a) (local.get $offset)))
                (local.get $high)))))
            (local.set $b (i32x4.add (local.get $b) (i32x4.add
              (i32x4.dot_i16x8_s (v128.load8x8_s (i32.add (local.get $code_b) (local.get $offset))) (local.get $low))
              (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (i32.add (local.get $code_b) (local.get $offset)))
                (local.get $high)))))
            (local.set $c (i32x4.add (local.get $c) (i32x4.add
              (i32x4.dot_i16x8_s (v128.load8x8_s (i32.add (local.get $code_c) (local.get $offset))) (local.get $low))
              (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (i32.add (local.get $code_c) (local.get $offset)))
                (local.get $high)))))
            (local.set $d (i32x4.add (local.get $d) (i32x4.add
              (i32x4.dot_i16x8_s (v128.load8x8_s (i32.add (local.get $code_d) (local.get $offset))) (local.get $low))
              (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (i32.add (local.get $code_d) (local.get $offset)))
                (local.get $high)))))
            (local.set $part (i32.add (local.get $part) (i32.const 32)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br $next_part)))
        (call $score (local.get $a) (local.get $scales) (i32.load (local.get $slots)) (local.get $scores))
        (call $score (local.get $b) (local.get $scales) (i32.load offset=4 (local.get $slots))
          (i32.add (local.get $scores) (i32.const 4)))
        (call $score (local.get $c) (local.get $scales) (i32.load offset=8 (local.get $slots))
          (i32.add (local.get $scores) (i32.const 8)))
        (call $score (local.get $d) (local.get $scales) (i32.load offset=12 (local.get $slots))
          (i32.add (local.get $scores) (i32.const 12)))
        (local.set $slots (i32.add (local.get $slots) (i32.const 16)))
        (local.set $scores (i32.add (local.get $scores) (i32.const 16)))
        (br $next_slots))))

  ;; Writes the sum of four int32, times the scale of a slot, to `score`.
  (func $score (param $sums v128) (param $scales i32) (param $slot i32) (param $score i32)
    (f32.store (local.get $score)
      (f32.mul
        (f32.load (i32.add (local.get $scales) (i32.shl (local.get $slot) (i32.const 2))))
        (f32.convert_i32_s
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
            (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums))))))))

  ;; Replaces values by their Walsh-Hadamard transform, then writes the sign of each as a bit: 1 is below zero.
  ;; values: int16, a power of two of them and at least 8, in `bytes` bytes. A sum beyond the range of int16 saturates.
  (func (export "sketch") (param $values i32) (param $bytes i32) (param $sketch i32)
    (local $end i32) (local $at i32) (local $span i32) (local $start i32) (local $half_end i32)
    (local $one v128) (local $other v128)
    (local.set $end (i32.add (local.get $values) (local.get $bytes)))
    ;; Pairs within eight values: each value is added to its partner, or subtracted from it.
    (local.set $at (local.get $values))
    (loop $next_eight
      (local.set $one (v128.load (local.get $at)))
      (local.set $one (i16x8.add_sat_s
        (i16x8.mul (local.get $one) (v128.const i16x8 1 -1 1 -1 1 -1 1 -1))
        (i8x16.shuffle 2 3 0 1 6 7 4 5 10 11 8 9 14 15 12 13 (local.get $one) (local.get $one))))
      (local.set $one (i16x8.add_sat_s
        (i16x8.mul (local.get $one) (v128.const i16x8 1 1 -1 -1 1 1 -1 -1))
        (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $one) (local.get $one))))
      (local.set $one (i16x8.add_sat_s
        (i16x8.mul (local.get $one) (v128.const i16x8 1 1 1 1 -1 -1 -1 -1))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $one) (local.get $one))))
      (v128.store (local.get $at) (local.get $one))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $next_eight (i32.lt_u (local.get $at) (local.get $end))))
    ;; Pairs of eights that are `span` bytes apart.
    (local.set $span (i32.const 16))
    (block $mixed
      (loop $next_span
        (br_if $mixed (i32.ge_u (local.get $span) (local.get $bytes)))
        (local.set $start (local.get $values))
        (loop $next_start
          (local.set $at (local.get $start))
          (local.set $half_end (i32.add (local.get $start) (local.get $span)))
          (loop $next_pair
            (local.set $one (v128.load (local.get $at)))
            (local.set $other (v128.load (i32.add (local.get $at) (local.get $span))))
            (v128.store (local.get $at) (i16x8.add_sat_s (local.get $one) (local.get $other)))
            (v128.store (i32.add (local.get $at) (local.get $span))
              (i16x8.sub_sat_s (local.get $one) (local.get $other)))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br_if $next_pair (i32.lt_u (local.get $at) (local.get $half_end))))
          (local.set $start (i32.add (local.get $half_end) (local.get $span)))
          (br_if $next_start (i32.lt_u (local.get $start) (local.get $end))))
        (local.set $span (i32.shl (local.get $span) (i32.const 1)))
        (br $next_span)))
    (local.set $at (local.get $values))
    (loop $next_sign
      (i32.store8 (local.get $sketch) (i16x8.bitmask (v128.load (local.get $at))))
      (local.set $sketch (i32.add (local.get $sketch) (i32.const 1)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $next_sign (i32.lt_u (local.get $at) (local.get $end)))))

  ;; differences[slots[i]] = bits in which the sketch of a slot differs from the query's, for i below count;
  ;; counts[d] grows by one for each difference d.
  ;; query, sketches: `bytes` each, a multiple of 32. differences: uint16. slots, counts: int32.
  (func (export "compare")
    (param $query i32) (param $sketches i32) (param $bytes i32)
    (param $slots i32) (param $count i32) (param $differences i32) (param $counts i32)
    (local $slots_end i32) (local $slot i32) (local $at i32) (local $end i32) (local $part i32) (local $sum i64)
    (local $counter i32)
    (local.set $slots_end (i32.add (local.get $slots) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_slot
        (br_if $done (i32.ge_u (local.get $slots) (local.get $slots_end)))
        (local.set $slot (i32.load (local.get $slots)))
        (local.set $at (i32.add (local.get $sketches) (i32.mul (local.get $slot) (local.get $bytes))))
        (local.set $end (i32.add (local.get $at) (local.get $bytes)))
        (local.set $part (local.get $query))
        (local.set $sum (i64.const 0))
        (loop $next_step
          (local.set $sum (i64.add (local.get $sum) (i64.add
            (i64.add
              (i64.popcnt (i64.xor (i64.load (local.get $at)) (i64.load (local.get $part))))
              (i64.popcnt (i64.xor (i64.load offset=8 (local.get $at)) (i64.load offset=8 (local.get $part)))))
            (i64.add
              (i64.popcnt (i64.xor (i64.load offset=16 (local.get $at)) (i64.load offset=16 (local.get $part))))
              (i64.popcnt (i64.xor (i64.load offset=24 (local.get $at)) (i64.load offset=24 (local.get $part))))))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $part (i32.add (local.get $part) (i32.const 32)))
          (br_if $next_step (i32.lt_u (local.get $at) (local.get $end))))
        (i64.store16 (i32.add (local.get $differences) (i32.shl (local.get $slot) (i32.const 1))) (local.get $sum))
        (local.set $counter (i32.add (local.get $counts) (i32.shl (i32.wrap_i64 (local.get $sum)) (i32.const 2))))
        (i32.store (local.get $counter) (i32.add (i32.load (local.get $counter)) (i32.const 1)))
        (local.set $slots (i32.add (local.get $slots) (i32.const 4)))
        (br $next_slot))))

  ;; Writes the slots below `size` that differ in at most `most` bits to `slots`, and returns how many they are.
  ;; differences: uint16, `size` of them, a multiple of 8. slots: int32.
  (func (export "select") (param $differences i32) (param $size i32) (param $most i32) (param $slots i32) (result i32)
    (local $slot i32) (local $first i32) (local $bound v128) (local $found i32)
    (local.set $first (local.get $slots))
    (local.set $bound (i16x8.splat (local.get $most)))
    (loop $next_eight
      (local.set $found (i16x8.bitmask (i16x8.le_u
        (v128.load (i32.add (local.get $differences) (i32.shl (local.get $slot) (i32.const 1))))
        (local.get $bound))))
      (block $none
        (loop $next_found
          (br_if $none (i32.eqz (local.get $found)))
          (i32.store (local.get $slots) (i32.add (local.get $slot) (i32.ctz (local.get $found))))
          (local.set $slots (i32.add (local.get $slots) (i32.const 4)))
          (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
          (br $next_found)))
      (local.set $slot (i32.add (local.get $slot) (i32.const 8)))
      (br_if $next_eight (i32.lt_u (local.get $slot) (local.get $size))))
    (i32.shr_u (i32.sub (local.get $slots) (local.get $first)) (i32.const 2)))

  ;; Adds codes[i] * value to sums[positions[i]], for each value of the query and each entry i of the posting list of
  ;; its dimension.
  ;; query: int32, `count` pairs of a dimension and its value. starts: int32, for each dimension the index of its first
  ;; entry, and after the last dimension the number of entries. positions: uint16. codes: int8. sums: int32.
  (func (export "add")
    (param $query i32) (param $count i32) (param $starts i32) (param $positions i32) (param $codes i32)
    (param $sums i32)
    (local $query_end i32) (local $value i32) (local $start i32) (local $position i32) (local $end i32) (local $sum i32)
    (local.set $query_end (i32.add (local.get $query) (i32.shl (local.get $count) (i32.const 3))))
    (block $done
      (loop $next_value
        (br_if $done (i32.ge_u (local.get $query) (local.get $query_end)))
        (local.set $value (i32.load offset=4 (local.get $query)))
        (local.set $start (i32.add (local.get $starts) (i32.shl (i32.load (local.get $query)) (i32.const 2))))
        (local.set $end (i32.add (local.get $positions) (i32.shl (i32.load offset=4 (local.get $start)) (i32.const 1))))
        (local.set $start (i32.load (local.get $start)))
        (local.set $position (i32.add (local.get $positions) (i32.shl (local.get $start) (i32.const 1))))
        (local.set $start (i32.add (local.get $codes) (local.get $start)))
        (block $added
          (loop $next_entry
            (br_if $added (i32.ge_u (local.get $position) (local.get $end)))
            (local.set $sum (i32.add (local.get $sums) (i32.shl (i32.load16_u (local.get $position)) (i32.const 2))))
            (i32.store (local.get $sum)
              (i32.add (i32.load (local.get $sum))
                (i32.mul (i32.load8_s (local.get $start)) (local.get $value))))
            (local.set $position (i32.add (local.get $position) (i32.const 2)))
            (local.set $start (i32.add (local.get $start) (i32.const 1)))
            (br $next_entry)))
        (local.set $query (i32.add (local.get $query) (i32.const 8)))
        (br $next_value))))

  ;; Selects the slots below `size` for which sums[slot] * scales[slot] is above `least`. Writes these slots to `slots`
  ;; and the products to `scores`, and returns the number of these slots. sums: int32. scales, scores: float32.
  ;; slots: int32. `sums` and `scales` have room for a multiple of four slots, and `slots` and `scores` for `size`.
  (func (export "above")
    (param $sums i32) (param $scales i32) (param $size i32) (param $least f32) (param $slots i32) (param $scores i32)
    (result i32)
    (local $slot i32) (local $first i32) (local $bound v128) (local $products v128) (local $found i32) (local $lane i32)
    (local.set $first (local.get $slots))
    (local.set $bound (f32x4.splat (local.get $least)))
    (block $done
      (loop $next_four
        (br_if $done (i32.ge_u (local.get $slot) (local.get $size)))
        (local.set $products (f32x4.mul
          (f32x4.convert_i32x4_s (v128.load (i32.add (local.get $sums) (i32.shl (local.get $slot) (i32.const 2)))))
          (v128.load (i32.add (local.get $scales) (i32.shl (local.get $slot) (i32.const 2))))))
        (local.set $found (i32x4.bitmask (f32x4.gt (local.get $products) (local.get $bound))))
        (if (local.get $found) (then
          (loop $next_lane
            (local.set $lane (i32.shl (i32.add (local.get $slot) (i32.ctz (local.get $found))) (i32.const 2)))
            (br_if $done (i32.ge_u (local.get $lane) (i32.shl (local.get $size) (i32.const 2))))
            (i32.store (local.get $slots) (i32.shr_u (local.get $lane) (i32.const 2)))
            (f32.store (local.get $scores)
              (f32.mul
                (f32.convert_i32_s (i32.load (i32.add (local.get $sums) (local.get $lane))))
                (f32.load (i32.add (local.get $scales) (local.get $lane)))))
            (local.set $slots (i32.add (local.get $slots) (i32.const 4)))
            (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
            (local.set $found (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
            (br_if $next_lane (local.get $found)))))
        (local.set $slot (i32.add (local.get $slot) (i32.const 4)))
        (br $next_four)))
    (i32.shr_u (i32.sub (local.get $slots) (local.get $first)) (i32.const 2))))
