@em.run.frame_key = external global i32, align 4
@em.run.arena_key = external global i32, align 4

define void @em.run.push_frame(ptr %frame) #0 {
entry:
  %0 = load i32, ptr @em.run.arena_key, align 4, !tbaa !0
  %call.i1 = call ptr @pthread_getspecific(i32 %0) #4
  %tobool.i2.not = icmp eq ptr %call.i1, null
  br i1 %tobool.i2.not, label %slot_here.exit, label %cond.true.i

cond.true.i:                                      ; preds = %entry
  %slot.i = getelementptr inbounds nuw i8, ptr %call.i1, i64 128
  %1 = load ptr, ptr %slot.i, align 8, !tbaa !4
  br label %slot_here.exit

slot_here.exit:                                   ; preds = %entry, %cond.true.i
  %cond.i = phi ptr [ %1, %cond.true.i ], [ null, %entry ]
  %2 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call.i3 = call ptr @pthread_getspecific(i32 %2) #4
  store volatile ptr %call.i3, ptr %frame, align 8, !tbaa !10
  %3 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call2.i = call i32 @pthread_setspecific(i32 %3, ptr nonnull %frame) #4
  %tobool.i.not = icmp eq ptr %cond.i, null
  br i1 %tobool.i.not, label %push.exit, label %if.end.i

if.end.i:                                         ; preds = %slot_here.exit
  %tobool3.i.not = icmp eq ptr %call.i3, null
  br i1 %tobool3.i.not, label %if.then4.i, label %if.end6.i

if.then4.i:                                       ; preds = %if.end.i
  %calls.i = getelementptr inbounds nuw i8, ptr %cond.i, i64 16
  %4 = load volatile i64, ptr %calls.i, align 8, !tbaa !14
  %add.i = add i64 %4, 1
  store volatile i64 %add.i, ptr %calls.i, align 8, !tbaa !14
  br label %if.end6.i

if.end6.i:                                        ; preds = %if.then4.i, %if.end.i
  %frame7.i = getelementptr inbounds nuw i8, ptr %cond.i, i64 8
  store volatile ptr %frame, ptr %frame7.i, align 8, !tbaa !18
  br label %push.exit

push.exit:                                        ; preds = %slot_here.exit, %if.end6.i
  ret void
}

define void @em.run.pop_frame(ptr %frame) #0 {
entry:
  %0 = load i32, ptr @em.run.arena_key, align 4, !tbaa !0
  %call.i = call ptr @pthread_getspecific(i32 %0) #4
  %tobool.i.not = icmp eq ptr %call.i, null
  br i1 %tobool.i.not, label %slot_here.exit, label %cond.true.i

cond.true.i:                                      ; preds = %entry
  %slot.i = getelementptr inbounds nuw i8, ptr %call.i, i64 128
  %1 = load ptr, ptr %slot.i, align 8, !tbaa !4
  br label %slot_here.exit

slot_here.exit:                                   ; preds = %entry, %cond.true.i
  %cond.i = phi ptr [ %1, %cond.true.i ], [ null, %entry ]
  %tobool.not = icmp eq ptr %cond.i, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %slot_here.exit
  %2 = load volatile ptr, ptr %frame, align 8, !tbaa !10
  %frame1 = getelementptr inbounds nuw i8, ptr %cond.i, i64 8
  store volatile ptr %2, ptr %frame1, align 8, !tbaa !18
  br label %if.end

if.end:                                           ; preds = %if.then, %slot_here.exit
  %3 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %4 = load volatile ptr, ptr %frame, align 8, !tbaa !10
  %call3 = call i32 @pthread_setspecific(i32 %3, ptr %4) #4
  ret void
}

declare i32 @pthread_setspecific(i32, ptr) #1

define void @em.run.begins(ptr %call) #0 {
entry:
  %due = getelementptr inbounds nuw i8, ptr %call, i64 56
  %0 = load i64, ptr %due, align 8, !tbaa !19
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %arena = getelementptr inbounds nuw i8, ptr %call, i64 32
  %1 = load ptr, ptr %arena, align 8, !tbaa !22
  %slot = getelementptr inbounds nuw i8, ptr %1, i64 128
  %2 = load ptr, ptr %slot, align 8, !tbaa !4
  %conv = trunc i64 %0 to i32
  call void @em.run.leave_due(ptr %2, i32 %conv) #5
  unreachable

if.end:                                           ; preds = %entry
  ret void
}

declare void @em.run.leave_due(ptr, i32) #2

define void @em.run.native_enters(ptr %call, ptr %record, ptr %buffer) #0 {
entry:
  %call1.i = call ptr @em.run.arena_current() #4
  %arena2.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %call1.i, ptr %arena2.i, align 8, !tbaa !22
  %record3.i = getelementptr inbounds nuw i8, ptr %call, i64 8
  store volatile ptr %record, ptr %record3.i, align 8, !tbaa !23
  %buffer5.i = getelementptr inbounds nuw i8, ptr %call, i64 16
  store volatile ptr %buffer, ptr %buffer5.i, align 8, !tbaa !24
  %marks.i = getelementptr inbounds nuw i8, ptr %call, i64 24
  store volatile i64 0, ptr %marks.i, align 8, !tbaa !25
  %slot.i = getelementptr inbounds nuw i8, ptr %call1.i, i64 128
  %0 = load ptr, ptr %slot.i, align 8, !tbaa !4
  %1 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call.i = call ptr @pthread_getspecific(i32 %1) #4
  store volatile ptr %call.i, ptr %call, align 8, !tbaa !10
  %2 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call2.i.i = call i32 @pthread_setspecific(i32 %2, ptr nonnull %call) #4
  %tobool.i.i.not = icmp eq ptr %0, null
  br i1 %tobool.i.i.not, label %push.exit.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %entry
  %tobool3.i.i.not = icmp eq ptr %call.i, null
  br i1 %tobool3.i.i.not, label %if.then4.i.i, label %if.end6.i.i

if.then4.i.i:                                     ; preds = %if.end.i.i
  %calls.i.i = getelementptr inbounds nuw i8, ptr %0, i64 16
  %3 = load volatile i64, ptr %calls.i.i, align 8, !tbaa !14
  %add.i.i = add i64 %3, 1
  store volatile i64 %add.i.i, ptr %calls.i.i, align 8, !tbaa !14
  br label %if.end6.i.i

if.end6.i.i:                                      ; preds = %if.then4.i.i, %if.end.i.i
  %frame7.i.i = getelementptr inbounds nuw i8, ptr %0, i64 8
  store volatile ptr %call, ptr %frame7.i.i, align 8, !tbaa !18
  br label %push.exit.i

push.exit.i:                                      ; preds = %entry, %if.end6.i.i
  %4 = load ptr, ptr %slot.i, align 8, !tbaa !4
  %tobool.i.not = icmp eq ptr %4, null
  br i1 %tobool.i.not, label %enters.exit, label %cond.true.i

cond.true.i:                                      ; preds = %push.exit.i
  %calls1.i = getelementptr inbounds nuw i8, ptr %4, i64 16
  %5 = load volatile i64, ptr %calls1.i, align 8, !tbaa !14
  %request2.i = getelementptr inbounds nuw i8, ptr %4, i64 24
  %6 = load volatile i64, ptr %request2.i, align 8, !tbaa !26
  %expired3.i = getelementptr inbounds nuw i8, ptr %4, i64 40
  %7 = load volatile i64, ptr %expired3.i, align 8, !tbaa !27
  %tobool.i1 = icmp ne i64 %6, 0
  %cmp.i = icmp eq i64 %6, %5
  %or.cond = select i1 %tobool.i1, i1 %cmp.i, i1 false
  br i1 %or.cond, label %enters.exit, label %cond.false.i2

cond.false.i2:                                    ; preds = %cond.true.i
  %tobool4.i.not = icmp eq i64 %7, 0
  br i1 %tobool4.i.not, label %cond.false6.i, label %enters.exit

cond.false6.i:                                    ; preds = %cond.false.i2
  %failure.i = getelementptr inbounds nuw i8, ptr %4, i64 72
  %8 = load volatile i64, ptr %failure.i, align 8, !tbaa !28
  %cmp7.i = icmp eq i64 %8, 2
  %9 = select i1 %cmp7.i, i64 256, i64 0
  br label %enters.exit

enters.exit:                                      ; preds = %push.exit.i, %cond.true.i, %cond.false.i2, %cond.false6.i
  %cond.i = phi i64 [ 11, %cond.false.i2 ], [ 10, %cond.true.i ], [ %9, %cond.false6.i ], [ 0, %push.exit.i ]
  %due.i = getelementptr inbounds nuw i8, ptr %call, i64 56
  store i64 %cond.i, ptr %due.i, align 8, !tbaa !19
  ret void
}

define void @em.run.native_returns(ptr %call) #0 {
entry:
  %arena.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  %0 = load ptr, ptr %arena.i, align 8, !tbaa !22
  %slot.i = getelementptr inbounds nuw i8, ptr %0, i64 128
  %1 = load ptr, ptr %slot.i, align 8, !tbaa !4
  %tobool.i.not = icmp eq ptr %1, null
  br i1 %tobool.i.not, label %cond.end.i, label %cond.true.i

cond.true.i:                                      ; preds = %entry
  %calls1.i = getelementptr inbounds nuw i8, ptr %1, i64 16
  %2 = load volatile i64, ptr %calls1.i, align 8, !tbaa !14
  %request2.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  %3 = load volatile i64, ptr %request2.i, align 8, !tbaa !26
  %expired3.i = getelementptr inbounds nuw i8, ptr %1, i64 40
  %4 = load volatile i64, ptr %expired3.i, align 8, !tbaa !27
  %tobool.i7 = icmp ne i64 %3, 0
  %cmp.i = icmp eq i64 %3, %2
  %or.cond = select i1 %tobool.i7, i1 %cmp.i, i1 false
  br i1 %or.cond, label %cond.end.i, label %cond.false.i8

cond.false.i8:                                    ; preds = %cond.true.i
  %tobool4.i9.not = icmp eq i64 %4, 0
  br i1 %tobool4.i9.not, label %cond.false6.i, label %cond.end.i

cond.false6.i:                                    ; preds = %cond.false.i8
  %failure.i = getelementptr inbounds nuw i8, ptr %1, i64 72
  %5 = load volatile i64, ptr %failure.i, align 8, !tbaa !28
  %cmp7.i = icmp eq i64 %5, 2
  %cond.i10 = select i1 %cmp7.i, i32 256, i32 0
  br label %cond.end.i

cond.end.i:                                       ; preds = %entry, %cond.true.i, %cond.false.i8, %cond.false6.i
  %cond.i = phi i32 [ 11, %cond.false.i8 ], [ 10, %cond.true.i ], [ %cond.i10, %cond.false6.i ], [ 0, %entry ]
  %tobool4.i.not = icmp eq i32 %cond.i, 0
  br i1 %tobool4.i.not, label %returns.exit, label %if.then.i

if.then.i:                                        ; preds = %cond.end.i
  call void @em.run.leave_due(ptr %1, i32 %cond.i) #5
  unreachable

returns.exit:                                     ; preds = %cond.end.i
  %6 = load volatile ptr, ptr %call, align 8, !tbaa !29
  br i1 %tobool.i.not, label %pop.exit, label %if.then.i6

if.then.i6:                                       ; preds = %returns.exit
  %frame3.i = getelementptr inbounds nuw i8, ptr %1, i64 8
  store volatile ptr %6, ptr %frame3.i, align 8, !tbaa !18
  br label %pop.exit

pop.exit:                                         ; preds = %returns.exit, %if.then.i6
  %7 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call4.i = call i32 @pthread_setspecific(i32 %7, ptr %6) #4
  ret void
}

define void @em.run.native_left(ptr %call) #0 {
entry:
  %arena.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  %0 = load ptr, ptr %arena.i, align 8, !tbaa !22
  %slot1.i = getelementptr inbounds nuw i8, ptr %0, i64 128
  %1 = load ptr, ptr %slot1.i, align 8, !tbaa !4
  %tobool.i.not = icmp eq ptr %1, null
  br i1 %tobool.i.not, label %pop_left.exit, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %entry
  %2 = load volatile ptr, ptr %call, align 8, !tbaa !29
  %tobool2.i.not = icmp eq ptr %2, null
  br i1 %tobool2.i.not, label %if.then.i, label %pop_left.exit

if.then.i:                                        ; preds = %land.lhs.true.i
  %threads.i = getelementptr inbounds nuw i8, ptr %1, i64 144
  %3 = load volatile i64, ptr %threads.i, align 8, !tbaa !30
  %tobool3.i.not = icmp eq i64 %3, 0
  br i1 %tobool3.i.not, label %if.end.i, label %if.then4.i

if.then4.i:                                       ; preds = %if.then.i
  call void @em.run.end_threads(ptr nonnull %1) #4
  br label %if.end.i

if.end.i:                                         ; preds = %if.then4.i, %if.then.i
  %failure.i = getelementptr inbounds nuw i8, ptr %1, i64 72
  %4 = load volatile i64, ptr %failure.i, align 8, !tbaa !28
  %tobool5.i.not = icmp eq i64 %4, 0
  br i1 %tobool5.i.not, label %pop_left.exit, label %if.then6.i

if.then6.i:                                       ; preds = %if.end.i
  call void @em.run.forget_failure(ptr nonnull %1) #4
  br label %pop_left.exit

pop_left.exit:                                    ; preds = %if.end.i, %if.then6.i, %entry, %land.lhs.true.i
  %5 = load volatile ptr, ptr %call, align 8, !tbaa !29
  %6 = load ptr, ptr %arena.i, align 8, !tbaa !22
  %slot2.i = getelementptr inbounds nuw i8, ptr %6, i64 128
  %7 = load ptr, ptr %slot2.i, align 8, !tbaa !4
  %tobool.i4.not = icmp eq ptr %7, null
  br i1 %tobool.i4.not, label %pop.exit, label %if.then.i6

if.then.i6:                                       ; preds = %pop_left.exit
  %frame3.i = getelementptr inbounds nuw i8, ptr %7, i64 8
  store volatile ptr %5, ptr %frame3.i, align 8, !tbaa !18
  br label %pop.exit

pop.exit:                                         ; preds = %pop_left.exit, %if.then.i6
  %8 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call4.i = call i32 @pthread_setspecific(i32 %8, ptr %5) #4
  ret void
}

define zeroext i1 @em.run.python_enters(ptr %call, ptr %buffer, i1 zeroext %keeps_lock) #0 {
entry:
  %record = getelementptr inbounds nuw i8, ptr %call, i64 64
  %call1.i = call ptr @em.run.arena_current() #4
  %arena2.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %call1.i, ptr %arena2.i, align 8, !tbaa !22
  %record3.i = getelementptr inbounds nuw i8, ptr %call, i64 8
  store volatile ptr %record, ptr %record3.i, align 8, !tbaa !23
  %buffer5.i = getelementptr inbounds nuw i8, ptr %call, i64 16
  store volatile ptr %buffer, ptr %buffer5.i, align 8, !tbaa !24
  %marks.i = getelementptr inbounds nuw i8, ptr %call, i64 24
  store volatile i64 0, ptr %marks.i, align 8, !tbaa !25
  %slot.i = getelementptr inbounds nuw i8, ptr %call1.i, i64 128
  %0 = load ptr, ptr %slot.i, align 8, !tbaa !4
  %1 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call.i = call ptr @pthread_getspecific(i32 %1) #4
  store volatile ptr %call.i, ptr %call, align 8, !tbaa !10
  %2 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call2.i.i = call i32 @pthread_setspecific(i32 %2, ptr nonnull %call) #4
  %tobool.i.i.not = icmp eq ptr %0, null
  br i1 %tobool.i.i.not, label %push.exit.i, label %if.end.i.i

if.end.i.i:                                       ; preds = %entry
  %tobool3.i.i.not = icmp eq ptr %call.i, null
  br i1 %tobool3.i.i.not, label %if.then4.i.i, label %if.end6.i.i

if.then4.i.i:                                     ; preds = %if.end.i.i
  %calls.i.i = getelementptr inbounds nuw i8, ptr %0, i64 16
  %3 = load volatile i64, ptr %calls.i.i, align 8, !tbaa !14
  %add.i.i = add i64 %3, 1
  store volatile i64 %add.i.i, ptr %calls.i.i, align 8, !tbaa !14
  br label %if.end6.i.i

if.end6.i.i:                                      ; preds = %if.then4.i.i, %if.end.i.i
  %frame7.i.i = getelementptr inbounds nuw i8, ptr %0, i64 8
  store volatile ptr %call, ptr %frame7.i.i, align 8, !tbaa !18
  br label %push.exit.i

push.exit.i:                                      ; preds = %entry, %if.end6.i.i
  %4 = load ptr, ptr %slot.i, align 8, !tbaa !4
  %tobool.i.not = icmp eq ptr %4, null
  br i1 %tobool.i.not, label %enters.exit, label %cond.true.i

cond.true.i:                                      ; preds = %push.exit.i
  %calls1.i = getelementptr inbounds nuw i8, ptr %4, i64 16
  %5 = load volatile i64, ptr %calls1.i, align 8, !tbaa !14
  %request2.i = getelementptr inbounds nuw i8, ptr %4, i64 24
  %6 = load volatile i64, ptr %request2.i, align 8, !tbaa !26
  %expired3.i = getelementptr inbounds nuw i8, ptr %4, i64 40
  %7 = load volatile i64, ptr %expired3.i, align 8, !tbaa !27
  %tobool.i5 = icmp ne i64 %6, 0
  %cmp.i = icmp eq i64 %6, %5
  %or.cond = select i1 %tobool.i5, i1 %cmp.i, i1 false
  br i1 %or.cond, label %enters.exit, label %cond.false.i6

cond.false.i6:                                    ; preds = %cond.true.i
  %tobool4.i.not = icmp eq i64 %7, 0
  br i1 %tobool4.i.not, label %cond.false6.i, label %enters.exit

cond.false6.i:                                    ; preds = %cond.false.i6
  %failure.i = getelementptr inbounds nuw i8, ptr %4, i64 72
  %8 = load volatile i64, ptr %failure.i, align 8, !tbaa !28
  %cmp7.i = icmp eq i64 %8, 2
  %9 = select i1 %cmp7.i, i64 256, i64 0
  br label %enters.exit

enters.exit:                                      ; preds = %push.exit.i, %cond.true.i, %cond.false.i6, %cond.false6.i
  %cond.i = phi i64 [ 11, %cond.false.i6 ], [ 10, %cond.true.i ], [ %9, %cond.false6.i ], [ 0, %push.exit.i ]
  %due.i = getelementptr inbounds nuw i8, ptr %call, i64 56
  store i64 %cond.i, ptr %due.i, align 8, !tbaa !19
  %10 = load ptr, ptr %arena2.i, align 8, !tbaa !22
  %11 = load ptr, ptr %10, align 8, !tbaa !31
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 40
  store ptr %11, ptr %mark, align 8, !tbaa !32
  %call1 = call i32 @PyErr_CheckSignals() #4
  %tobool.not = icmp eq i32 %call1, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %enters.exit
  %12 = load volatile ptr, ptr %call, align 8, !tbaa !29
  %13 = load ptr, ptr %arena2.i, align 8, !tbaa !22
  %slot2.i = getelementptr inbounds nuw i8, ptr %13, i64 128
  %14 = load ptr, ptr %slot2.i, align 8, !tbaa !4
  %tobool.i4.not = icmp eq ptr %14, null
  br i1 %tobool.i4.not, label %pop.exit, label %if.then.i

if.then.i:                                        ; preds = %if.then
  %frame3.i = getelementptr inbounds nuw i8, ptr %14, i64 8
  store volatile ptr %12, ptr %frame3.i, align 8, !tbaa !18
  br label %pop.exit

pop.exit:                                         ; preds = %if.then, %if.then.i
  %15 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call4.i = call i32 @pthread_setspecific(i32 %15, ptr %12) #4
  br label %return

if.end:                                           ; preds = %enters.exit
  br i1 %keeps_lock, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.end
  %call2 = call ptr @PyEval_SaveThread() #4
  br label %cond.end

cond.end:                                         ; preds = %if.end, %cond.false
  %cond = phi ptr [ %call2, %cond.false ], [ null, %if.end ]
  %thread = getelementptr inbounds nuw i8, ptr %call, i64 48
  store ptr %cond, ptr %thread, align 8, !tbaa !33
  br label %return

return:                                           ; preds = %cond.end, %pop.exit
  ret i1 %tobool.not
}

declare i32 @PyErr_CheckSignals() #3

declare ptr @PyEval_SaveThread() #3

define void @em.run.python_returns(ptr %call) #0 {
entry:
  %marks = getelementptr inbounds nuw i8, ptr %call, i64 24
  %0 = load volatile i64, ptr %marks, align 8, !tbaa !25
  %and = and i64 %0, 1
  %tobool.not = icmp eq i64 %and, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @em.run.child_ends(i32 0) #5
  unreachable

if.end:                                           ; preds = %entry
  %arena.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  %1 = load ptr, ptr %arena.i, align 8, !tbaa !22
  %slot.i = getelementptr inbounds nuw i8, ptr %1, i64 128
  %2 = load ptr, ptr %slot.i, align 8, !tbaa !4
  %tobool.i.not = icmp eq ptr %2, null
  br i1 %tobool.i.not, label %cond.end.i, label %cond.true.i

cond.true.i:                                      ; preds = %if.end
  %calls1.i = getelementptr inbounds nuw i8, ptr %2, i64 16
  %3 = load volatile i64, ptr %calls1.i, align 8, !tbaa !14
  %request2.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  %4 = load volatile i64, ptr %request2.i, align 8, !tbaa !26
  %expired3.i = getelementptr inbounds nuw i8, ptr %2, i64 40
  %5 = load volatile i64, ptr %expired3.i, align 8, !tbaa !27
  %tobool.i10 = icmp ne i64 %4, 0
  %cmp.i = icmp eq i64 %4, %3
  %or.cond = select i1 %tobool.i10, i1 %cmp.i, i1 false
  br i1 %or.cond, label %cond.end.i, label %cond.false.i11

cond.false.i11:                                   ; preds = %cond.true.i
  %tobool4.i12.not = icmp eq i64 %5, 0
  br i1 %tobool4.i12.not, label %cond.false6.i, label %cond.end.i

cond.false6.i:                                    ; preds = %cond.false.i11
  %failure.i = getelementptr inbounds nuw i8, ptr %2, i64 72
  %6 = load volatile i64, ptr %failure.i, align 8, !tbaa !28
  %cmp7.i = icmp eq i64 %6, 2
  %cond.i13 = select i1 %cmp7.i, i32 256, i32 0
  br label %cond.end.i

cond.end.i:                                       ; preds = %if.end, %cond.true.i, %cond.false.i11, %cond.false6.i
  %cond.i = phi i32 [ 11, %cond.false.i11 ], [ 10, %cond.true.i ], [ %cond.i13, %cond.false6.i ], [ 0, %if.end ]
  %tobool4.i.not = icmp eq i32 %cond.i, 0
  br i1 %tobool4.i.not, label %returns.exit, label %if.then.i

if.then.i:                                        ; preds = %cond.end.i
  call void @em.run.leave_due(ptr %2, i32 %cond.i) #5
  unreachable

returns.exit:                                     ; preds = %cond.end.i
  %7 = load volatile ptr, ptr %call, align 8, !tbaa !29
  br i1 %tobool.i.not, label %pop.exit, label %if.then.i6

if.then.i6:                                       ; preds = %returns.exit
  %frame3.i = getelementptr inbounds nuw i8, ptr %2, i64 8
  store volatile ptr %7, ptr %frame3.i, align 8, !tbaa !18
  br label %pop.exit

pop.exit:                                         ; preds = %returns.exit, %if.then.i6
  %8 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call4.i = call i32 @pthread_setspecific(i32 %8, ptr %7) #4
  %thread.i = getelementptr inbounds nuw i8, ptr %call, i64 48
  %9 = load ptr, ptr %thread.i, align 8, !tbaa !33
  %tobool.i8.not = icmp eq ptr %9, null
  br i1 %tobool.i8.not, label %take_lock.exit, label %if.then.i9

if.then.i9:                                       ; preds = %pop.exit
  call void @PyEval_RestoreThread(ptr nonnull %9) #4
  br label %take_lock.exit

take_lock.exit:                                   ; preds = %pop.exit, %if.then.i9
  ret void
}

declare void @em.run.child_ends(i32) #2

define void @em.run.python_left(ptr %call, ptr %raiser) #0 {
entry:
  %arena.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  %0 = load ptr, ptr %arena.i, align 8, !tbaa !22
  %slot1.i = getelementptr inbounds nuw i8, ptr %0, i64 128
  %1 = load ptr, ptr %slot1.i, align 8, !tbaa !4
  %tobool.i.not = icmp eq ptr %1, null
  br i1 %tobool.i.not, label %pop_left.exit, label %land.lhs.true.i

land.lhs.true.i:                                  ; preds = %entry
  %2 = load volatile ptr, ptr %call, align 8, !tbaa !29
  %tobool2.i.not = icmp eq ptr %2, null
  br i1 %tobool2.i.not, label %if.then.i, label %pop_left.exit

if.then.i:                                        ; preds = %land.lhs.true.i
  %threads.i = getelementptr inbounds nuw i8, ptr %1, i64 144
  %3 = load volatile i64, ptr %threads.i, align 8, !tbaa !30
  %tobool3.i.not = icmp eq i64 %3, 0
  br i1 %tobool3.i.not, label %if.end.i, label %if.then4.i

if.then4.i:                                       ; preds = %if.then.i
  call void @em.run.end_threads(ptr nonnull %1) #4
  br label %if.end.i

if.end.i:                                         ; preds = %if.then4.i, %if.then.i
  %failure.i = getelementptr inbounds nuw i8, ptr %1, i64 72
  %4 = load volatile i64, ptr %failure.i, align 8, !tbaa !28
  %tobool5.i.not = icmp eq i64 %4, 0
  br i1 %tobool5.i.not, label %pop_left.exit, label %if.then6.i

if.then6.i:                                       ; preds = %if.end.i
  call void @em.run.forget_failure(ptr nonnull %1) #4
  br label %pop_left.exit

pop_left.exit:                                    ; preds = %if.end.i, %if.then6.i, %entry, %land.lhs.true.i
  %5 = load volatile ptr, ptr %call, align 8, !tbaa !29
  %6 = load ptr, ptr %arena.i, align 8, !tbaa !22
  %slot2.i = getelementptr inbounds nuw i8, ptr %6, i64 128
  %7 = load ptr, ptr %slot2.i, align 8, !tbaa !4
  %tobool.i4.not = icmp eq ptr %7, null
  br i1 %tobool.i4.not, label %pop.exit, label %if.then.i6

if.then.i6:                                       ; preds = %pop_left.exit
  %frame3.i = getelementptr inbounds nuw i8, ptr %7, i64 8
  store volatile ptr %5, ptr %frame3.i, align 8, !tbaa !18
  br label %pop.exit

pop.exit:                                         ; preds = %pop_left.exit, %if.then.i6
  %8 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call4.i = call i32 @pthread_setspecific(i32 %8, ptr %5) #4
  %9 = load ptr, ptr %arena.i, align 8, !tbaa !22
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 40
  %10 = load ptr, ptr %mark, align 8, !tbaa !32
  call void @em.run.arena_unwind(ptr %9, ptr %10) #4
  %thread.i = getelementptr inbounds nuw i8, ptr %call, i64 48
  %11 = load ptr, ptr %thread.i, align 8, !tbaa !33
  %tobool.i8.not = icmp eq ptr %11, null
  br i1 %tobool.i8.not, label %take_lock.exit, label %if.then.i10

if.then.i10:                                      ; preds = %pop.exit
  call void @PyEval_RestoreThread(ptr nonnull %11) #4
  br label %take_lock.exit

take_lock.exit:                                   ; preds = %pop.exit, %if.then.i10
  %record = getelementptr inbounds nuw i8, ptr %call, i64 64
  %call1 = call ptr @PyBytes_FromStringAndSize(ptr nonnull %record, i64 40) #4
  %tobool.not = icmp eq ptr %call1, null
  br i1 %tobool.not, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %take_lock.exit
  %call2 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %raiser, ptr nonnull %call1, ptr null) #4
  call void @Py_DecRef(ptr nonnull %call1) #4
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %take_lock.exit
  ret void
}

declare void @em.run.arena_unwind(ptr, ptr) #3

declare ptr @PyBytes_FromStringAndSize(ptr, i64) #3

declare ptr @PyObject_CallFunctionObjArgs(ptr, ...) #3

declare void @Py_DecRef(ptr) #3

declare ptr @pthread_getspecific(i32) #1

declare ptr @em.run.arena_current() #3

declare void @em.run.end_threads(ptr) #3

declare void @em.run.forget_failure(ptr) #3

declare void @PyEval_RestoreThread(ptr) #3

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nounwind "no-trapping-math"="true" }
attributes #2 = { cold noreturn "no-trapping-math"="true" }
attributes #3 = { "no-trapping-math"="true" }
attributes #4 = { nounwind }
attributes #5 = { cold noreturn nounwind }

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !7, i64 128}
!5 = !{!"arena", !6, i64 0, !6, i64 8, !6, i64 16, !8, i64 24, !8, i64 32, !9, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !9, i64 80, !9, i64 88, !9, i64 96, !7, i64 104, !9, i64 112, !7, i64 120, !7, i64 128, !7, i64 136, !2, i64 144}
!6 = !{!"p1 omnipotent char", !7, i64 0}
!7 = !{!"any pointer", !2, i64 0}
!8 = !{!"p1 _ZTS5chunk", !7, i64 0}
!9 = !{!"long", !2, i64 0}
!10 = !{!11, !12, i64 0}
!11 = !{!"frame", !12, i64 0, !13, i64 8, !7, i64 16, !9, i64 24}
!12 = !{!"p1 _ZTS5frame", !7, i64 0}
!13 = !{!"p1 _ZTS6record", !7, i64 0}
!14 = !{!15, !9, i64 16}
!15 = !{!"slot", !9, i64 0, !12, i64 8, !9, i64 16, !9, i64 24, !9, i64 32, !9, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !16, i64 80, !17, i64 120, !9, i64 128, !9, i64 136, !9, i64 144}
!16 = !{!"record", !1, i64 0, !1, i64 4, !6, i64 8, !6, i64 16, !7, i64 24, !9, i64 32}
!17 = !{!"p1 _ZTS4slot", !7, i64 0}
!18 = !{!15, !12, i64 8}
!19 = !{!20, !9, i64 56}
!20 = !{!"guarded", !11, i64 0, !21, i64 32, !7, i64 40, !7, i64 48, !9, i64 56, !16, i64 64}
!21 = !{!"p1 _ZTS5arena", !7, i64 0}
!22 = !{!20, !21, i64 32}
!23 = !{!20, !13, i64 8}
!24 = !{!20, !7, i64 16}
!25 = !{!20, !9, i64 24}
!26 = !{!15, !9, i64 24}
!27 = !{!15, !9, i64 40}
!28 = !{!15, !9, i64 72}
!29 = !{!20, !12, i64 0}
!30 = !{!15, !9, i64 144}
!31 = !{!5, !6, i64 0}
!32 = !{!20, !7, i64 40}
!33 = !{!20, !7, i64 48}
