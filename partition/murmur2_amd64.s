//go:build !purego

#include "textflag.h"

// MIX mixes one word of each key into h (Y3): word*m or, where no whole word is
// left (Y4), word*0 in Y5; then h*m (m is odd) or h*1. It uses Y5 and Y6.
#define MIX(word) \
	VPCMPGTD Y11, Y4, Y5; \
	VPAND    Y15, Y5, Y5; \
	VPMULLD  Y5, word, word; \
	VPSRLD   $24, word, Y6; \
	VPXOR    Y6, word, word; \
	VPMULLD  Y15, word, word; \
	VPOR     Y14, Y5, Y5; \
	VPMULLD  Y5, Y3, Y3; \
	VPXOR    word, Y3, Y3; \
	VPSUBD   Y14, Y4, Y4

// func murmur2Groups(hashes *uint32, arena []byte, ends *int, groups int) (done int)
//
//	AX  bytes of each key that remain to be read in pairs of words
//	BX  the arena                    Y0   words, Y1 words of the same keys
//	CX  groups left                  Y2   8 * bytes in the tail
//	DX  BX + bytes read of each key  Y3   h
//	SI  ends                         Y4   whole words left
//	DI  hashes                       Y11  0         Y14  1
//	R8  …R15  starts of the eight    Y12  seed      Y15  m
//	    keys, offsets in the arena   Y13  32
//
// VSHUFPS works on halves of a register, so the lanes of Y0…Y4 stand for the
// keys 0 1 4 5 2 3 6 7; VPERMQ puts the hashes in order.
TEXT ·murmur2Groups(SB), NOSPLIT, $0-56
	MOVQ         hashes+0(FP), DI
	MOVQ         arena_base+8(FP), BX
	MOVQ         ends+32(FP), SI
	MOVQ         groups+40(FP), CX
	VPXOR        Y11, Y11, Y11
	MOVL         $0x9747b28c, AX
	VMOVD        AX, X12
	VPBROADCASTD X12, Y12
	VPCMPEQD     Y14, Y14, Y14
	VPSRLD       $31, Y14, Y14
	VPSLLD       $5, Y14, Y13
	MOVL         $0x5bd1e995, AX
	VMOVD        AX, X15
	VPBROADCASTD X15, Y15

group:
	// Lengths, and the longest. They fit 32 bits if all keys together do.
	MOVQ         64(SI), DX
	SUBQ         (SI), DX
	CMPQ         DX, $0x7fffffff
	JGT          done
	VMOVUPS      (SI), Y0
	VSHUFPS      $0x88, 32(SI), Y0, Y0
	VMOVUPS      8(SI), Y2
	VSHUFPS      $0x88, 40(SI), Y2, Y2
	VPSUBD       Y0, Y2, Y2
	VEXTRACTI128 $1, Y2, X0
	VPMAXUD      X2, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPMAXUD      X1, X0, X0
	VMOVD        X0, AX

	// All lanes take as long as the longest key: leave keys of too unequal
	// lengths to scalar code.
	LEAQ -256(AX*4), R8
	CMPQ R8, DX
	JGT  done

	// Pairs of words are read as far as the longest key has words, in all
	// lanes: the last key's must not leave the arena.
	MOVQ (SI), R8
	MOVQ 8(SI), R9
	MOVQ 16(SI), R10
	MOVQ 24(SI), R11
	MOVQ 32(SI), R12
	MOVQ 40(SI), R13
	MOVQ 48(SI), R14
	MOVQ 56(SI), R15
	ADDQ $4, AX
	ANDQ $-8, AX
	LEAQ (R15)(AX*1), DX
	CMPQ DX, arena_len+16(FP)
	JGT  done

	MOVQ   BX, DX
	VPXOR  Y12, Y2, Y3
	VPSRLD $2, Y2, Y4
	VPSLLD $30, Y2, Y2
	VPSRLD $27, Y2, Y2
	SUBQ   $8, AX
	JLT    tail

pair:
	VMOVQ       (DX)(R8*1), X0
	VMOVHPS     (DX)(R9*1), X0, X0
	VMOVQ       (DX)(R10*1), X1
	VMOVHPS     (DX)(R11*1), X1, X1
	VINSERTI128 $1, X1, Y0, Y0
	VMOVQ       (DX)(R12*1), X1
	VMOVHPS     (DX)(R13*1), X1, X1
	VMOVQ       (DX)(R14*1), X5
	VMOVHPS     (DX)(R15*1), X5, X5
	VINSERTI128 $1, X5, Y1, Y1
	VSHUFPS     $0x88, Y1, Y0, Y7
	VSHUFPS     $0xdd, Y1, Y0, Y1
	MIX(Y7)
	MIX(Y1)
	ADDQ        $8, DX
	SUBQ        $8, AX
	JGE         pair

tail:
	// The last four bytes of each key, those of the tail on top. A key ends where
	// the next one starts.
	VPTEST      Y2, Y2
	JEQ         final
	MOVQ        64(SI), R8
	VMOVD       -4(BX)(R9*1), X0
	VPINSRD     $1, -4(BX)(R10*1), X0, X0
	VPINSRD     $2, -4(BX)(R13*1), X0, X0
	VPINSRD     $3, -4(BX)(R14*1), X0, X0
	VMOVD       -4(BX)(R11*1), X1
	VPINSRD     $1, -4(BX)(R12*1), X1, X1
	VPINSRD     $2, -4(BX)(R15*1), X1, X1
	VPINSRD     $3, -4(BX)(R8*1), X1, X1
	VINSERTI128 $1, X1, Y0, Y0
	VPSUBD      Y2, Y13, Y1
	VPSRLVD     Y1, Y0, Y0             // a shift by 32 gives 0
	VPXOR       Y0, Y3, Y3
	VPCMPGTD    Y11, Y2, Y0
	VPAND       Y15, Y0, Y0
	VPOR        Y14, Y0, Y0            // m, or 1 where there is no tail
	VPMULLD     Y0, Y3, Y3

final:
	VPSRLD  $13, Y3, Y0
	VPXOR   Y0, Y3, Y3
	VPMULLD Y15, Y3, Y3
	VPSRLD  $15, Y3, Y0
	VPXOR   Y0, Y3, Y3
	VPERMQ  $0xd8, Y3, Y3
	VMOVDQU Y3, (DI)
	ADDQ    $64, SI
	ADDQ    $32, DI
	DECQ    CX
	JNE     group

done:
	VZEROUPPER
	MOVQ groups+40(FP), AX
	SUBQ CX, AX
	MOVQ AX, done+48(FP)
	RET
