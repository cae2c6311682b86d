;; The inner loops of the vector search (WebAssembly SIMD).
;; `scan-code.ts` holds this file compiled: after a change run `npm run build:scan`.
(module
  (memory (import "scan" "memory") 1)

  ;; scores[i] = (query . codes[slots[i]]) * scales[slots[i]], for i below count.
  ;; query: int16, `stride` of them. codes: int8, `stride` of them a slot. scales, scores: float32. slots: int32.
  ;; `stride` is a multiple of 64. A sum stays below 2^31 while query and vector are within their bounds, see scan-kernel.ts.
  (func (export "dots")
    (param $query i32) (param $codes i32) (param $stride i32) (param $scales i32)
    (param $slots i32) (param $count i32) (param $scores i32)
    (local $slots_end i32) (local $slot i32) (local $code i32) (local $code_end i32) (local $part i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $slots_end (i32.add (local.get $slots) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_slot
        (br_if $done (i32.ge_u (local.get $slots) (local.get $slots_end)))
        (local.set $slot (i32.load (local.get $slots)))
        (local.set $code (i32.add (local.get $codes) (i32.mul (local.get $slot) (local.get $stride))))
        (local.set $code_end (i32.add (local.get $code) (local.get $stride)))
        (local.set $part (local.get $query))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $next_step
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $code)) (v128.load (local.get $part)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $code)) (v128.load offset=16 (local.get $part)))))
          (local.set $c (i32x4.add (local.get $c)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=16 (local.get $code)) (v128.load offset=32 (local.get $part)))))
          (local.set $d (i32x4.add (local.get $d)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=24 (local.get $code)) (v128.load offset=48 (local.get $part)))))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=32 (local.get $code)) (v128.load offset=64 (local.get $part)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=40 (local.get $code)) (v128.load offset=80 (local.get $part)))))
          (local.set $c (i32x4.add (local.get $c)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=48 (local.get $code)) (v128.load offset=96 (local.get $part)))))
          (local.set $d (i32x4.add (local.get $d)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=56 (local.get $code)) (v128.load offset=112 (local.get $part)))))
          (local.set $part (i32.add (local.get $part) (i32.const 128)))
          (local.set $code (i32.add (local.get $code) (i32.const 64)))
          (br_if $next_step (i32.lt_u (local.get $code) (local.get $code_end))))
        (local.set $a (i32x4.add
          (i32x4.add (local.get $a) (local.get $b))
          (i32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $scores)
          (f32.mul
            (f32.load (i32.add (local.get $scales) (i32.shl (local.get $slot) (i32.const 2))))
            (f32.convert_i32_s
              (i32.add
                (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
                (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))))
        (local.set $slots (i32.add (local.get $slots) (i32.const 4)))
        (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
        (br $next_slot))))

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
    (i32.shr_u (i32.sub (local.get $slots) (local.get $first)) (i32.const 2))))
