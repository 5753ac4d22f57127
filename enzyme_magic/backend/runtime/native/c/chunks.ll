%struct.anon = type { [16 x i64] }

@em.run.arena_key = external global i32, align 4
@em.run.arena_limit = external global i64, align 8

define void @em.run.arena_unwind(ptr %arena, ptr %mark) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %cleanup46, %entry
  %0 = load ptr, ptr %arena, align 8, !tbaa !0
  %1 = ptrtoint ptr %0 to i64
  %start.i = getelementptr inbounds nuw i8, ptr %arena, i64 16
  %2 = load ptr, ptr %start.i, align 8, !tbaa !8
  %3 = ptrtoint ptr %2 to i64
  %sub.i = sub i64 %1, %3
  %4 = ptrtoint ptr %mark to i64
  %sub = sub i64 %4, %3
  %peak = getelementptr inbounds nuw i8, ptr %arena, i64 56
  %5 = load i64, ptr %peak, align 8, !tbaa !9
  %before = getelementptr inbounds nuw i8, ptr %arena, i64 48
  %6 = load i64, ptr %before, align 8, !tbaa !10
  %add = add i64 %6, %sub.i
  %.add = call i64 @llvm.umax.i64(i64 %5, i64 %add)
  store i64 %.add, ptr %peak, align 8, !tbaa !9
  %cmp.not = icmp ugt i64 %sub, %sub.i
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %for.cond
  %sub3 = sub nuw i64 %sub.i, %sub
  %total = getelementptr inbounds nuw i8, ptr %arena, i64 64
  %7 = load i64, ptr %total, align 8, !tbaa !11
  %add4 = add i64 %7, %sub3
  store i64 %add4, ptr %total, align 8, !tbaa !11
  store ptr %mark, ptr %arena, align 8, !tbaa !0
  br label %cleanup46

if.end:                                           ; preds = %for.cond
  %total5 = getelementptr inbounds nuw i8, ptr %arena, i64 64
  %8 = load i64, ptr %total5, align 8, !tbaa !11
  %add6 = add i64 %8, %sub.i
  store i64 %add6, ptr %total5, align 8, !tbaa !11
  %chunk = getelementptr inbounds nuw i8, ptr %arena, i64 24
  %9 = load ptr, ptr %chunk, align 8, !tbaa !12
  %tobool.not = icmp eq ptr %9, null
  br i1 %tobool.not, label %cleanup46, label %if.end8

if.end8:                                          ; preds = %if.end
  %10 = load ptr, ptr %9, align 8, !tbaa !13
  store ptr %10, ptr %chunk, align 8, !tbaa !12
  %spare = getelementptr inbounds nuw i8, ptr %arena, i64 32
  %11 = load ptr, ptr %spare, align 8, !tbaa !15
  %tobool10.not = icmp eq ptr %11, null
  br i1 %tobool10.not, label %if.else, label %land.lhs.true

land.lhs.true:                                    ; preds = %if.end8
  %capacity = getelementptr inbounds nuw i8, ptr %9, i64 8
  %12 = load i64, ptr %capacity, align 8, !tbaa !16
  %capacity12 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %13 = load i64, ptr %capacity12, align 8, !tbaa !16
  %cmp13.not = icmp ugt i64 %12, %13
  br i1 %cmp13.not, label %if.else, label %if.then14

if.then14:                                        ; preds = %land.lhs.true
  call void @free(ptr nonnull %9) #7
  br label %if.end17

if.else:                                          ; preds = %land.lhs.true, %if.end8
  call void @free(ptr %11) #7
  store ptr %9, ptr %spare, align 8, !tbaa !15
  br label %if.end17

if.end17:                                         ; preds = %if.else, %if.then14
  %14 = load ptr, ptr %chunk, align 8, !tbaa !12
  %tobool20.not = icmp eq ptr %14, null
  br i1 %tobool20.not, label %cond.end27.critedge, label %cond.true

cond.true:                                        ; preds = %if.end17
  %before21 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %15 = load i64, ptr %before21, align 8, !tbaa !17
  store i64 %15, ptr %before, align 8, !tbaa !10
  %current25 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %16 = load ptr, ptr %current25, align 8, !tbaa !18
  br label %cond.end27

cond.end27.critedge:                              ; preds = %if.end17
  store i64 0, ptr %before, align 8, !tbaa !10
  br label %cond.end27

cond.end27:                                       ; preds = %cond.end27.critedge, %cond.true
  %cond28 = phi ptr [ %16, %cond.true ], [ null, %cond.end27.critedge ]
  store ptr %cond28, ptr %arena, align 8, !tbaa !0
  br i1 %tobool20.not, label %cond.end33, label %cond.true31

cond.true31:                                      ; preds = %cond.end27
  %end = getelementptr inbounds nuw i8, ptr %14, i64 32
  %17 = load ptr, ptr %end, align 8, !tbaa !19
  br label %cond.end33

cond.end33:                                       ; preds = %cond.end27, %cond.true31
  %cond34 = phi ptr [ %17, %cond.true31 ], [ null, %cond.end27 ]
  %end35 = getelementptr inbounds nuw i8, ptr %arena, i64 8
  store ptr %cond34, ptr %end35, align 8, !tbaa !20
  %add.ptr = getelementptr inbounds nuw i8, ptr %14, i64 64
  %cond40 = select i1 %tobool20.not, ptr null, ptr %add.ptr
  store ptr %cond40, ptr %start.i, align 8, !tbaa !8
  br label %cleanup46

cleanup46:                                        ; preds = %cond.end33, %if.end, %if.then
  %cleanup.dest.slot.0 = phi i1 [ true, %if.then ], [ %tobool20.not, %cond.end33 ], [ true, %if.end ]
  switch i1 %cleanup.dest.slot.0, label %unreachable [
    i1 false, label %for.cond
    i1 true, label %return
  ]

return:                                           ; preds = %cleanup46
  ret void

unreachable:                                      ; preds = %cleanup46
  unreachable
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @free(ptr) #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define noalias ptr @em.run.arena_grow(ptr %arena, i64 %bytes) #3 {
entry:
  %place.i = alloca ptr, align 8
  %before = getelementptr inbounds nuw i8, ptr %arena, i64 48
  %0 = load i64, ptr %before, align 8, !tbaa !10
  %1 = load ptr, ptr %arena, align 8, !tbaa !0
  %2 = ptrtoint ptr %1 to i64
  %start.i = getelementptr inbounds nuw i8, ptr %arena, i64 16
  %3 = load ptr, ptr %start.i, align 8, !tbaa !8
  %4 = ptrtoint ptr %3 to i64
  %sub.i = sub i64 %2, %4
  %add = add i64 %0, %sub.i
  %limit = getelementptr inbounds nuw i8, ptr %arena, i64 40
  %5 = load i64, ptr %limit, align 8, !tbaa !21
  %sub = sub i64 %5, %add
  %add1 = add i64 %bytes, 63
  %and = and i64 %add1, -64
  %cmp = icmp ugt i64 %bytes, %sub
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %add2 = add i64 %add, %bytes
  call void @em.run.leave(i32 4, i32 0, ptr null, ptr null, ptr null, i64 %add2) #8
  unreachable

if.end:                                           ; preds = %entry
  %chunk = getelementptr inbounds nuw i8, ptr %arena, i64 24
  %6 = load ptr, ptr %chunk, align 8, !tbaa !12
  %tobool.not = icmp eq ptr %6, null
  br i1 %tobool.not, label %cond.false, label %cond.end

cond.false:                                       ; preds = %if.end
  %peak = getelementptr inbounds nuw i8, ptr %arena, i64 56
  %7 = load i64, ptr %peak, align 8, !tbaa !9
  %8 = call i64 @llvm.umin.i64(i64 %7, i64 %sub)
  %9 = call i64 @llvm.umax.i64(i64 %8, i64 %and)
  br label %cond.end

cond.end:                                         ; preds = %if.end, %cond.false
  %cond = phi i64 [ %9, %cond.false ], [ %and, %if.end ]
  %spare = getelementptr inbounds nuw i8, ptr %arena, i64 32
  %10 = load ptr, ptr %spare, align 8, !tbaa !15
  %tobool6.not = icmp eq ptr %10, null
  br i1 %tobool6.not, label %if.end9, label %land.lhs.true

land.lhs.true:                                    ; preds = %cond.end
  %capacity = getelementptr inbounds nuw i8, ptr %10, i64 8
  %11 = load i64, ptr %capacity, align 8, !tbaa !16
  %cmp7 = icmp ult i64 %11, %cond
  br i1 %cmp7, label %if.then8, label %if.end9

if.then8:                                         ; preds = %land.lhs.true
  call void @free(ptr nonnull %10) #7
  br label %if.end9

if.end9:                                          ; preds = %if.then8, %land.lhs.true, %cond.end
  %phiofops = phi i1 [ true, %cond.end ], [ false, %land.lhs.true ], [ true, %if.then8 ]
  %chunk5.0 = phi ptr [ null, %cond.end ], [ %10, %land.lhs.true ], [ null, %if.then8 ]
  store ptr null, ptr %spare, align 8, !tbaa !15
  br i1 %phiofops, label %if.then12, label %if.end14

if.then12:                                        ; preds = %if.end9
  %mul.i = shl i64 %add, 1
  %mul.i. = call i64 @llvm.umax.i64(i64 %mul.i, i64 65536)
  %cond.i12.i = call i64 @llvm.umin.i64(i64 %mul.i., i64 %sub)
  %cond.i.i = call i64 @llvm.umax.i64(i64 %cond.i12.i, i64 %cond)
  %add.i = add i64 %cond.i.i, 63
  %and.i = and i64 %add.i, -64
  %add3.i = add i64 %and.i, 64
  call void @llvm.lifetime.start.p0(ptr nonnull %place.i) #7
  %cmp.i22.inv = icmp ult i64 %add3.i, 2097152
  %cond.i24 = select i1 %cmp.i22.inv, i64 64, i64 2097152
  %call4.i = call i32 @posix_memalign(ptr nonnull %place.i, i64 %cond.i24, i64 %add3.i) #7
  %tobool.i.not = icmp eq i32 %call4.i, 0
  br i1 %tobool.i.not, label %if.end.i, label %if.then.i

if.then.i:                                        ; preds = %if.then12
  call void @em.run.leave(i32 5, i32 0, ptr null, ptr null, ptr null, i64 %add3.i) #8
  unreachable

if.end.i:                                         ; preds = %if.then12
  %12 = load ptr, ptr %place.i, align 8, !tbaa !22
  %capacity.i = getelementptr inbounds nuw i8, ptr %12, i64 8
  store i64 %and.i, ptr %capacity.i, align 8, !tbaa !16
  %chunks.i = getelementptr inbounds nuw i8, ptr %arena, i64 72
  %13 = load i64, ptr %chunks.i, align 8, !tbaa !23
  %inc.i = add i64 %13, 1
  store i64 %inc.i, ptr %chunks.i, align 8, !tbaa !23
  %cmp5.i = icmp ugt i64 %add3.i, 2097151
  br i1 %cmp5.i, label %if.then6.i, label %fresh.exit

if.then6.i:                                       ; preds = %if.end.i
  %call7.i = call i32 @madvise(ptr %12, i64 %add3.i, i32 14) #7
  br label %fresh.exit

fresh.exit:                                       ; preds = %if.end.i, %if.then6.i
  call void @llvm.lifetime.end.p0(ptr nonnull %place.i) #7
  br label %if.end14

if.end14:                                         ; preds = %fresh.exit, %if.end9
  %chunk5.1 = phi ptr [ %chunk5.0, %if.end9 ], [ %12, %fresh.exit ]
  %14 = load ptr, ptr %chunk, align 8, !tbaa !12
  %tobool16.not = icmp eq ptr %14, null
  br i1 %tobool16.not, label %if.end22, label %if.then17

if.then17:                                        ; preds = %if.end14
  %15 = load ptr, ptr %arena, align 8, !tbaa !0
  %current19 = getelementptr inbounds nuw i8, ptr %14, i64 24
  store ptr %15, ptr %current19, align 8, !tbaa !18
  %end = getelementptr inbounds nuw i8, ptr %arena, i64 8
  %16 = load ptr, ptr %end, align 8, !tbaa !20
  %end21 = getelementptr inbounds nuw i8, ptr %14, i64 32
  store ptr %16, ptr %end21, align 8, !tbaa !19
  br label %if.end22

if.end22:                                         ; preds = %if.then17, %if.end14
  store ptr %14, ptr %chunk5.1, align 8, !tbaa !13
  store i64 %add, ptr %before, align 8, !tbaa !10
  %before25 = getelementptr inbounds nuw i8, ptr %chunk5.1, i64 16
  store i64 %add, ptr %before25, align 8, !tbaa !17
  store ptr %chunk5.1, ptr %chunk, align 8, !tbaa !12
  %add.ptr = getelementptr inbounds nuw i8, ptr %chunk5.1, i64 64
  store ptr %add.ptr, ptr %start.i, align 8, !tbaa !8
  %capacity28 = getelementptr inbounds nuw i8, ptr %chunk5.1, i64 8
  %17 = load i64, ptr %capacity28, align 8, !tbaa !16
  %and29 = and i64 %sub, -64
  %and29.and = call i64 @llvm.umax.i64(i64 %and29, i64 %and)
  %cond.i18 = call i64 @llvm.umin.i64(i64 %17, i64 %and29.and)
  %add.ptr32 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %cond.i18
  %end33 = getelementptr inbounds nuw i8, ptr %arena, i64 8
  store ptr %add.ptr32, ptr %end33, align 8, !tbaa !20
  %add.ptr35 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %and
  store ptr %add.ptr35, ptr %arena, align 8, !tbaa !0
  ret ptr %add.ptr
}

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #4

define void @em.run.arena_trim(ptr %arena) #0 {
entry:
  %spare = getelementptr inbounds nuw i8, ptr %arena, i64 32
  %0 = load ptr, ptr %spare, align 8, !tbaa !15
  call void @free(ptr %0) #7
  store ptr null, ptr %spare, align 8, !tbaa !15
  ret void
}

define void @em.run.arena_destroy(ptr %arena) #0 {
entry:
  call void @em.run.arena_unwind(ptr %arena, ptr null)
  call void @em.run.arena_trim(ptr %arena)
  %signal_stack = getelementptr inbounds nuw i8, ptr %arena, i64 104
  %0 = load ptr, ptr %signal_stack, align 8, !tbaa !24
  call void @em.run.signal_stack_free(ptr %0) #7
  %slot = getelementptr inbounds nuw i8, ptr %arena, i64 128
  %1 = load ptr, ptr %slot, align 8, !tbaa !25
  call void @em.run.give_slot(ptr %1) #7
  call void @free(ptr %arena) #7
  ret void
}

declare void @em.run.signal_stack_free(ptr) #2

declare void @em.run.give_slot(ptr) #2

define ptr @em.run.arena_current() #0 {
entry:
  %attributes.i = alloca %struct.anon, align 16
  %lowest.i = alloca i64, align 8
  %size.i = alloca i64, align 8
  %0 = load i32, ptr @em.run.arena_key, align 4, !tbaa !26
  %call = call ptr @pthread_getspecific(i32 %0) #7
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %call1 = call dereferenceable_or_null(192) ptr @calloc(i64 1, i64 192) #9
  %1 = load i64, ptr @em.run.arena_limit, align 8, !tbaa !28
  %limit = getelementptr inbounds nuw i8, ptr %call1, i64 40
  store i64 %1, ptr %limit, align 8, !tbaa !21
  call void @llvm.lifetime.start.p0(ptr nonnull %attributes.i) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %lowest.i) #7
  call void @llvm.lifetime.start.p0(ptr nonnull %size.i) #7
  %call.i = call i64 @pthread_self() #7
  %call1.i = call i32 @pthread_getattr_np(i64 %call.i, ptr nonnull %attributes.i) #7
  %tobool.i.not = icmp eq i32 %call1.i, 0
  br i1 %tobool.i.not, label %if.end.i, label %find_stack.exit

if.end.i:                                         ; preds = %if.end
  %call2.i = call i32 @pthread_attr_getstack(ptr nonnull %attributes.i, ptr nonnull %lowest.i, ptr nonnull %size.i) #7
  %call3.i = call i32 @pthread_attr_destroy(ptr nonnull %attributes.i) #7
  %tobool4.i.not = icmp eq i32 %call2.i, 0
  br i1 %tobool4.i.not, label %if.end6.i, label %find_stack.exit

if.end6.i:                                        ; preds = %if.end.i
  %2 = load i64, ptr %lowest.i, align 8, !tbaa !28
  %3 = load i64, ptr %size.i, align 8, !tbaa !28
  %div.i11 = lshr i64 %3, 2
  %div.i. = call i64 @llvm.umin.i64(i64 %div.i11, i64 262144)
  %add.i = add i64 %2, %div.i.
  %stack_limit.i = getelementptr inbounds nuw i8, ptr %call1, i64 80
  store i64 %add.i, ptr %stack_limit.i, align 8, !tbaa !29
  %stack_size.i = getelementptr inbounds nuw i8, ptr %call1, i64 88
  store i64 %3, ptr %stack_size.i, align 8, !tbaa !30
  br label %find_stack.exit

find_stack.exit:                                  ; preds = %if.end6.i, %if.end.i, %if.end
  call void @llvm.lifetime.end.p0(ptr nonnull %size.i) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %lowest.i) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %attributes.i) #7
  %signal_stack = getelementptr inbounds nuw i8, ptr %call1, i64 104
  call void @em.run.signal_stack(ptr nonnull %signal_stack) #7
  %call2 = call ptr @em.run.take_slot() #7
  %slot = getelementptr inbounds nuw i8, ptr %call1, i64 128
  store ptr %call2, ptr %slot, align 8, !tbaa !25
  %4 = load i32, ptr @em.run.arena_key, align 4, !tbaa !26
  %call3 = call i32 @pthread_setspecific(i32 %4, ptr %call1) #7
  br label %cleanup

cleanup:                                          ; preds = %entry, %find_stack.exit
  %retval.0 = phi ptr [ %call1, %find_stack.exit ], [ %call, %entry ]
  ret ptr %retval.0
}

declare ptr @pthread_getspecific(i32) #2

declare ptr @calloc(i64, i64) #5

declare void @em.run.signal_stack(ptr) #2

declare ptr @em.run.take_slot() #2

declare i32 @pthread_setspecific(i32, ptr) #2

define ptr @em.run.tape_new(i64 %request) #0 {
entry:
  %call = call dereferenceable_or_null(192) ptr @calloc(i64 1, i64 192) #9
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @em.run.leave(i32 5, i32 0, ptr null, ptr null, ptr null, i64 192) #8
  unreachable

if.end:                                           ; preds = %entry
  %0 = load i64, ptr @em.run.arena_limit, align 8, !tbaa !28
  %limit = getelementptr inbounds nuw i8, ptr %call, i64 40
  store i64 %0, ptr %limit, align 8, !tbaa !21
  %call.i = call ptr @em.run.arena_current()
  %stack_limit.i = getelementptr inbounds nuw i8, ptr %call.i, i64 80
  %1 = load i64, ptr %stack_limit.i, align 8, !tbaa !29
  %stack_limit1.i = getelementptr inbounds nuw i8, ptr %call, i64 80
  store i64 %1, ptr %stack_limit1.i, align 8, !tbaa !29
  %stack_size.i = getelementptr inbounds nuw i8, ptr %call.i, i64 88
  %2 = load i64, ptr %stack_size.i, align 8, !tbaa !30
  %stack_size2.i = getelementptr inbounds nuw i8, ptr %call, i64 88
  store i64 %2, ptr %stack_size2.i, align 8, !tbaa !30
  %tape_word = getelementptr inbounds nuw i8, ptr %call, i64 112
  store i64 %request, ptr %tape_word, align 8, !tbaa !31
  ret ptr %call
}

define ptr @em.run.tape_open(ptr %tape, i64 %request, ptr %text, ptr %file, i32 %line) #0 {
entry:
  %tobool.not = icmp eq ptr %tape, null
  br i1 %tobool.not, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %tobool1.not = icmp eq i64 %request, 0
  br i1 %tobool1.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %lor.lhs.false
  %tape_word = getelementptr inbounds nuw i8, ptr %tape, i64 112
  %0 = load i64, ptr %tape_word, align 8, !tbaa !31
  %cmp = icmp eq i64 %0, %request
  br i1 %cmp, label %if.end, label %if.then

cond.false:                                       ; preds = %lor.lhs.false
  %tape_word4 = getelementptr inbounds nuw i8, ptr %tape, i64 112
  %1 = load i64, ptr %tape_word4, align 8, !tbaa !31
  %tobool5.not = icmp eq i64 %1, 0
  br i1 %tobool5.not, label %if.then, label %if.end

if.then:                                          ; preds = %cond.false, %cond.true, %entry
  call void @em.run.leave(i32 3, i32 %line, ptr %text, ptr %file, ptr null, i64 0) #8
  unreachable

if.end:                                           ; preds = %cond.false, %cond.true
  %call.i = call ptr @em.run.arena_current()
  %stack_limit.i = getelementptr inbounds nuw i8, ptr %call.i, i64 80
  %2 = load i64, ptr %stack_limit.i, align 8, !tbaa !29
  %stack_limit1.i = getelementptr inbounds nuw i8, ptr %tape, i64 80
  store i64 %2, ptr %stack_limit1.i, align 8, !tbaa !29
  %stack_size.i = getelementptr inbounds nuw i8, ptr %call.i, i64 88
  %3 = load i64, ptr %stack_size.i, align 8, !tbaa !30
  %stack_size2.i = getelementptr inbounds nuw i8, ptr %tape, i64 88
  store i64 %3, ptr %stack_size2.i, align 8, !tbaa !30
  %tape_frame = getelementptr inbounds nuw i8, ptr %tape, i64 120
  %4 = load ptr, ptr %tape_frame, align 8, !tbaa !32
  ret ptr %4
}

define void @em.run.tape_close(ptr %tape) #0 {
entry:
  %tape_word = getelementptr inbounds nuw i8, ptr %tape, i64 112
  store i64 0, ptr %tape_word, align 8, !tbaa !31
  call void @em.run.arena_destroy(ptr %tape)
  ret void
}

declare i32 @posix_memalign(ptr, i64, i64) #2

declare i32 @madvise(ptr, i64, i32) #2

declare i32 @pthread_getattr_np(i64, ptr) #2

declare i64 @pthread_self() #2

declare i32 @pthread_attr_getstack(ptr, ptr, ptr) #2

declare i32 @pthread_attr_destroy(ptr) #2

declare i64 @llvm.umax.i64(i64, i64) #6

declare i64 @llvm.umin.i64(i64, i64) #6

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { cold noinline nounwind optsize uwtable(sync) "no-trapping-math"="true" }
attributes #4 = { cold noreturn "no-trapping-math"="true" }
attributes #5 = { allocsize(0,1) "no-trapping-math"="true" }
attributes #6 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }
attributes #8 = { cold noreturn nounwind }
attributes #9 = { nounwind allocsize(0,1) }

!0 = !{!1, !2, i64 0}
!1 = !{!"arena", !2, i64 0, !2, i64 8, !2, i64 16, !6, i64 24, !6, i64 32, !7, i64 40, !7, i64 48, !7, i64 56, !7, i64 64, !7, i64 72, !7, i64 80, !7, i64 88, !7, i64 96, !3, i64 104, !7, i64 112, !3, i64 120, !3, i64 128, !3, i64 136, !4, i64 144}
!2 = !{!"p1 omnipotent char", !3, i64 0}
!3 = !{!"any pointer", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C/C++ TBAA"}
!6 = !{!"p1 _ZTS5chunk", !3, i64 0}
!7 = !{!"long", !4, i64 0}
!8 = !{!1, !2, i64 16}
!9 = !{!1, !7, i64 56}
!10 = !{!1, !7, i64 48}
!11 = !{!1, !7, i64 64}
!12 = !{!1, !6, i64 24}
!13 = !{!14, !6, i64 0}
!14 = !{!"chunk", !6, i64 0, !7, i64 8, !7, i64 16, !2, i64 24, !2, i64 32, !4, i64 40}
!15 = !{!1, !6, i64 32}
!16 = !{!14, !7, i64 8}
!17 = !{!14, !7, i64 16}
!18 = !{!14, !2, i64 24}
!19 = !{!14, !2, i64 32}
!20 = !{!1, !2, i64 8}
!21 = !{!1, !7, i64 40}
!22 = !{!3, !3, i64 0}
!23 = !{!1, !7, i64 72}
!24 = !{!1, !3, i64 104}
!25 = !{!1, !3, i64 128}
!26 = !{!27, !27, i64 0}
!27 = !{!"int", !4, i64 0}
!28 = !{!7, !7, i64 0}
!29 = !{!1, !7, i64 80}
!30 = !{!1, !7, i64 88}
!31 = !{!1, !7, i64 112}
!32 = !{!1, !3, i64 120}
