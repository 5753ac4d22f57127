@em.run.frame_key = external global i32, align 4

define void @em.run.begins(ptr %call) #0 {
entry:
  %due = getelementptr inbounds nuw i8, ptr %call, i64 56
  %0 = load i64, ptr %due, align 8, !tbaa !0
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %conv = trunc i64 %0 to i32
  call void @em.run.leave(i32 %conv, i32 0, ptr null, ptr null, ptr null, i64 0) #4
  unreachable

if.end:                                           ; preds = %entry
  ret void
}

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #1

define void @em.run.native_enters(ptr %call, ptr %record, ptr %buffer) #0 {
entry:
  %call1.i = call ptr @em.run.arena_current() #5
  %arena2.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %call1.i, ptr %arena2.i, align 8, !tbaa !13
  %record3.i = getelementptr inbounds nuw i8, ptr %call, i64 8
  store volatile ptr %record, ptr %record3.i, align 8, !tbaa !14
  %buffer5.i = getelementptr inbounds nuw i8, ptr %call, i64 16
  store volatile ptr %buffer, ptr %buffer5.i, align 8, !tbaa !15
  %marks.i = getelementptr inbounds nuw i8, ptr %call, i64 24
  store volatile i64 0, ptr %marks.i, align 8, !tbaa !16
  %slot.i = getelementptr inbounds nuw i8, ptr %call1.i, i64 128
  %0 = load ptr, ptr %slot.i, align 8, !tbaa !17
  %1 = load i32, ptr @em.run.frame_key, align 4, !tbaa !20
  %call.i8 = call ptr @pthread_getspecific(i32 %1) #5
  store volatile ptr %call.i8, ptr %call, align 8, !tbaa !21
  %2 = load i32, ptr @em.run.frame_key, align 4, !tbaa !20
  %call2.i = call i32 @pthread_setspecific(i32 %2, ptr nonnull %call) #5
  %tobool.i1.not = icmp eq ptr %0, null
  br i1 %tobool.i1.not, label %push.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %tobool3.i.not = icmp eq ptr %call.i8, null
  br i1 %tobool3.i.not, label %if.then4.i, label %if.end6.i

if.then4.i:                                       ; preds = %if.end.i
  %calls.i = getelementptr inbounds nuw i8, ptr %0, i64 16
  %3 = load volatile i64, ptr %calls.i, align 8, !tbaa !22
  %add.i = add i64 %3, 1
  store volatile i64 %add.i, ptr %calls.i, align 8, !tbaa !22
  br label %if.end6.i

if.end6.i:                                        ; preds = %if.then4.i, %if.end.i
  %frame7.i = getelementptr inbounds nuw i8, ptr %0, i64 8
  store volatile ptr %call, ptr %frame7.i, align 8, !tbaa !24
  br label %push.exit

push.exit:                                        ; preds = %entry, %if.end6.i
  %4 = load ptr, ptr %slot.i, align 8, !tbaa !17
  %tobool.i.not = icmp eq ptr %4, null
  br i1 %tobool.i.not, label %enters.exit, label %cond.true.i

cond.true.i:                                      ; preds = %push.exit
  %calls1.i = getelementptr inbounds nuw i8, ptr %4, i64 16
  %5 = load volatile i64, ptr %calls1.i, align 8, !tbaa !22
  %request2.i = getelementptr inbounds nuw i8, ptr %4, i64 24
  %6 = load volatile i64, ptr %request2.i, align 8, !tbaa !25
  %expired3.i = getelementptr inbounds nuw i8, ptr %4, i64 40
  %7 = load volatile i64, ptr %expired3.i, align 8, !tbaa !26
  %tobool.i4 = icmp ne i64 %6, 0
  %cmp.i = icmp eq i64 %6, %5
  %or.cond = select i1 %tobool.i4, i1 %cmp.i, i1 false
  br i1 %or.cond, label %enters.exit, label %cond.false.i5

cond.false.i5:                                    ; preds = %cond.true.i
  %tobool4.i.not = icmp eq i64 %7, 0
  %8 = select i1 %tobool4.i.not, i64 0, i64 11
  br label %enters.exit

enters.exit:                                      ; preds = %push.exit, %cond.false.i5, %cond.true.i
  %cond.i = phi i64 [ 10, %cond.true.i ], [ %8, %cond.false.i5 ], [ 0, %push.exit ]
  %due.i = getelementptr inbounds nuw i8, ptr %call, i64 56
  store i64 %cond.i, ptr %due.i, align 8, !tbaa !0
  ret void
}

define void @em.run.native_returns(ptr %call) #0 {
entry:
  %arena.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  %0 = load ptr, ptr %arena.i, align 8, !tbaa !13
  %slot.i = getelementptr inbounds nuw i8, ptr %0, i64 128
  %1 = load ptr, ptr %slot.i, align 8, !tbaa !17
  %tobool.i.not = icmp eq ptr %1, null
  br i1 %tobool.i.not, label %returns.exit, label %cond.true.i

cond.true.i:                                      ; preds = %entry
  %calls1.i = getelementptr inbounds nuw i8, ptr %1, i64 16
  %2 = load volatile i64, ptr %calls1.i, align 8, !tbaa !22
  %request2.i = getelementptr inbounds nuw i8, ptr %1, i64 24
  %3 = load volatile i64, ptr %request2.i, align 8, !tbaa !25
  %expired3.i = getelementptr inbounds nuw i8, ptr %1, i64 40
  %4 = load volatile i64, ptr %expired3.i, align 8, !tbaa !26
  %tobool.i7 = icmp ne i64 %3, 0
  %cmp.i = icmp eq i64 %3, %2
  %or.cond = select i1 %tobool.i7, i1 %cmp.i, i1 false
  br i1 %or.cond, label %cond.end.i, label %cond.false.i8

cond.false.i8:                                    ; preds = %cond.true.i
  %tobool4.i9.not = icmp eq i64 %4, 0
  %cond.i10 = select i1 %tobool4.i9.not, i32 0, i32 11
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.false.i8, %cond.true.i
  %phiofops = phi i1 [ %tobool4.i9.not, %cond.false.i8 ], [ false, %cond.true.i ]
  %cond.i = phi i32 [ %cond.i10, %cond.false.i8 ], [ 10, %cond.true.i ]
  br i1 %phiofops, label %returns.exit, label %if.then.i

if.then.i:                                        ; preds = %cond.end.i
  call void @em.run.leave(i32 %cond.i, i32 0, ptr null, ptr null, ptr null, i64 0) #4
  unreachable

returns.exit:                                     ; preds = %entry, %cond.end.i
  %5 = load volatile ptr, ptr %call, align 8, !tbaa !27
  br i1 %tobool.i.not, label %pop.exit, label %if.then.i6

if.then.i6:                                       ; preds = %returns.exit
  %frame3.i = getelementptr inbounds nuw i8, ptr %1, i64 8
  store volatile ptr %5, ptr %frame3.i, align 8, !tbaa !24
  br label %pop.exit

pop.exit:                                         ; preds = %returns.exit, %if.then.i6
  %6 = load i32, ptr @em.run.frame_key, align 4, !tbaa !20
  %call4.i = call i32 @pthread_setspecific(i32 %6, ptr %5) #5
  ret void
}

define void @em.run.native_left(ptr %call) #0 {
entry:
  %0 = load volatile ptr, ptr %call, align 8, !tbaa !27
  %arena.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  %1 = load ptr, ptr %arena.i, align 8, !tbaa !13
  %slot2.i = getelementptr inbounds nuw i8, ptr %1, i64 128
  %2 = load ptr, ptr %slot2.i, align 8, !tbaa !17
  %tobool.i.not = icmp eq ptr %2, null
  br i1 %tobool.i.not, label %pop.exit, label %if.then.i

if.then.i:                                        ; preds = %entry
  %frame3.i = getelementptr inbounds nuw i8, ptr %2, i64 8
  store volatile ptr %0, ptr %frame3.i, align 8, !tbaa !24
  br label %pop.exit

pop.exit:                                         ; preds = %entry, %if.then.i
  %3 = load i32, ptr @em.run.frame_key, align 4, !tbaa !20
  %call4.i = call i32 @pthread_setspecific(i32 %3, ptr %0) #5
  ret void
}

define i1 @em.run.python_enters(ptr %call, ptr %buffer, i1 %keeps_lock) #0 {
entry:
  %record = getelementptr inbounds nuw i8, ptr %call, i64 64
  %call1.i = call ptr @em.run.arena_current() #5
  %arena2.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %call1.i, ptr %arena2.i, align 8, !tbaa !13
  %record3.i = getelementptr inbounds nuw i8, ptr %call, i64 8
  store volatile ptr %record, ptr %record3.i, align 8, !tbaa !14
  %buffer5.i = getelementptr inbounds nuw i8, ptr %call, i64 16
  store volatile ptr %buffer, ptr %buffer5.i, align 8, !tbaa !15
  %marks.i = getelementptr inbounds nuw i8, ptr %call, i64 24
  store volatile i64 0, ptr %marks.i, align 8, !tbaa !16
  %slot.i = getelementptr inbounds nuw i8, ptr %call1.i, i64 128
  %0 = load ptr, ptr %slot.i, align 8, !tbaa !17
  %1 = load i32, ptr @em.run.frame_key, align 4, !tbaa !20
  %call.i14 = call ptr @pthread_getspecific(i32 %1) #5
  store volatile ptr %call.i14, ptr %call, align 8, !tbaa !21
  %2 = load i32, ptr @em.run.frame_key, align 4, !tbaa !20
  %call2.i = call i32 @pthread_setspecific(i32 %2, ptr nonnull %call) #5
  %tobool.i6.not = icmp eq ptr %0, null
  br i1 %tobool.i6.not, label %push.exit, label %if.end.i

if.end.i:                                         ; preds = %entry
  %tobool3.i.not = icmp eq ptr %call.i14, null
  br i1 %tobool3.i.not, label %if.then4.i, label %if.end6.i

if.then4.i:                                       ; preds = %if.end.i
  %calls.i = getelementptr inbounds nuw i8, ptr %0, i64 16
  %3 = load volatile i64, ptr %calls.i, align 8, !tbaa !22
  %add.i = add i64 %3, 1
  store volatile i64 %add.i, ptr %calls.i, align 8, !tbaa !22
  br label %if.end6.i

if.end6.i:                                        ; preds = %if.then4.i, %if.end.i
  %frame7.i = getelementptr inbounds nuw i8, ptr %0, i64 8
  store volatile ptr %call, ptr %frame7.i, align 8, !tbaa !24
  br label %push.exit

push.exit:                                        ; preds = %entry, %if.end6.i
  %4 = load ptr, ptr %slot.i, align 8, !tbaa !17
  %tobool.i.not = icmp eq ptr %4, null
  br i1 %tobool.i.not, label %enters.exit, label %cond.true.i

cond.true.i:                                      ; preds = %push.exit
  %calls1.i = getelementptr inbounds nuw i8, ptr %4, i64 16
  %5 = load volatile i64, ptr %calls1.i, align 8, !tbaa !22
  %request2.i = getelementptr inbounds nuw i8, ptr %4, i64 24
  %6 = load volatile i64, ptr %request2.i, align 8, !tbaa !25
  %expired3.i = getelementptr inbounds nuw i8, ptr %4, i64 40
  %7 = load volatile i64, ptr %expired3.i, align 8, !tbaa !26
  %tobool.i10 = icmp ne i64 %6, 0
  %cmp.i = icmp eq i64 %6, %5
  %or.cond = select i1 %tobool.i10, i1 %cmp.i, i1 false
  br i1 %or.cond, label %enters.exit, label %cond.false.i11

cond.false.i11:                                   ; preds = %cond.true.i
  %tobool4.i.not = icmp eq i64 %7, 0
  %8 = select i1 %tobool4.i.not, i64 0, i64 11
  br label %enters.exit

enters.exit:                                      ; preds = %push.exit, %cond.false.i11, %cond.true.i
  %cond.i = phi i64 [ 10, %cond.true.i ], [ %8, %cond.false.i11 ], [ 0, %push.exit ]
  %due.i = getelementptr inbounds nuw i8, ptr %call, i64 56
  store i64 %cond.i, ptr %due.i, align 8, !tbaa !0
  %9 = load ptr, ptr %arena2.i, align 8, !tbaa !13
  %10 = load ptr, ptr %9, align 8, !tbaa !28
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 40
  store ptr %10, ptr %mark, align 8, !tbaa !29
  %call1 = call i32 @PyErr_CheckSignals() #5
  %tobool.not = icmp eq i32 %call1, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %enters.exit
  %11 = load volatile ptr, ptr %call, align 8, !tbaa !27
  %12 = load ptr, ptr %arena2.i, align 8, !tbaa !13
  %slot2.i = getelementptr inbounds nuw i8, ptr %12, i64 128
  %13 = load ptr, ptr %slot2.i, align 8, !tbaa !17
  %tobool.i4.not = icmp eq ptr %13, null
  br i1 %tobool.i4.not, label %pop.exit, label %if.then.i

if.then.i:                                        ; preds = %if.then
  %frame3.i = getelementptr inbounds nuw i8, ptr %13, i64 8
  store volatile ptr %11, ptr %frame3.i, align 8, !tbaa !24
  br label %pop.exit

pop.exit:                                         ; preds = %if.then, %if.then.i
  %14 = load i32, ptr @em.run.frame_key, align 4, !tbaa !20
  %call4.i = call i32 @pthread_setspecific(i32 %14, ptr %11) #5
  br label %return

if.end:                                           ; preds = %enters.exit
  br i1 %keeps_lock, label %cond.end, label %cond.false

cond.false:                                       ; preds = %if.end
  %call2 = call ptr @PyEval_SaveThread() #5
  br label %cond.end

cond.end:                                         ; preds = %if.end, %cond.false
  %cond = phi ptr [ %call2, %cond.false ], [ null, %if.end ]
  %thread = getelementptr inbounds nuw i8, ptr %call, i64 48
  store ptr %cond, ptr %thread, align 8, !tbaa !30
  br label %return

return:                                           ; preds = %cond.end, %pop.exit
  ret i1 %tobool.not
}

declare i32 @PyErr_CheckSignals() #2

declare ptr @PyEval_SaveThread() #2

define void @em.run.python_returns(ptr %call) #0 {
entry:
  %marks = getelementptr inbounds nuw i8, ptr %call, i64 24
  %0 = load volatile i64, ptr %marks, align 8, !tbaa !16
  %and = and i64 %0, 1
  %tobool.not = icmp eq i64 %and, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @em.run.child_ends(i32 0) #4
  unreachable

if.end:                                           ; preds = %entry
  %arena.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  %1 = load ptr, ptr %arena.i, align 8, !tbaa !13
  %slot.i = getelementptr inbounds nuw i8, ptr %1, i64 128
  %2 = load ptr, ptr %slot.i, align 8, !tbaa !17
  %tobool.i.not = icmp eq ptr %2, null
  br i1 %tobool.i.not, label %returns.exit, label %cond.true.i

cond.true.i:                                      ; preds = %if.end
  %calls1.i = getelementptr inbounds nuw i8, ptr %2, i64 16
  %3 = load volatile i64, ptr %calls1.i, align 8, !tbaa !22
  %request2.i = getelementptr inbounds nuw i8, ptr %2, i64 24
  %4 = load volatile i64, ptr %request2.i, align 8, !tbaa !25
  %expired3.i = getelementptr inbounds nuw i8, ptr %2, i64 40
  %5 = load volatile i64, ptr %expired3.i, align 8, !tbaa !26
  %tobool.i10 = icmp ne i64 %4, 0
  %cmp.i = icmp eq i64 %4, %3
  %or.cond = select i1 %tobool.i10, i1 %cmp.i, i1 false
  br i1 %or.cond, label %cond.end.i, label %cond.false.i11

cond.false.i11:                                   ; preds = %cond.true.i
  %tobool4.i12.not = icmp eq i64 %5, 0
  %cond.i13 = select i1 %tobool4.i12.not, i32 0, i32 11
  br label %cond.end.i

cond.end.i:                                       ; preds = %cond.false.i11, %cond.true.i
  %phiofops = phi i1 [ %tobool4.i12.not, %cond.false.i11 ], [ false, %cond.true.i ]
  %cond.i = phi i32 [ %cond.i13, %cond.false.i11 ], [ 10, %cond.true.i ]
  br i1 %phiofops, label %returns.exit, label %if.then.i

if.then.i:                                        ; preds = %cond.end.i
  call void @em.run.leave(i32 %cond.i, i32 0, ptr null, ptr null, ptr null, i64 0) #4
  unreachable

returns.exit:                                     ; preds = %if.end, %cond.end.i
  %6 = load volatile ptr, ptr %call, align 8, !tbaa !27
  br i1 %tobool.i.not, label %pop.exit, label %if.then.i6

if.then.i6:                                       ; preds = %returns.exit
  %frame3.i = getelementptr inbounds nuw i8, ptr %2, i64 8
  store volatile ptr %6, ptr %frame3.i, align 8, !tbaa !24
  br label %pop.exit

pop.exit:                                         ; preds = %returns.exit, %if.then.i6
  %7 = load i32, ptr @em.run.frame_key, align 4, !tbaa !20
  %call4.i = call i32 @pthread_setspecific(i32 %7, ptr %6) #5
  %thread.i = getelementptr inbounds nuw i8, ptr %call, i64 48
  %8 = load ptr, ptr %thread.i, align 8, !tbaa !30
  %tobool.i8.not = icmp eq ptr %8, null
  br i1 %tobool.i8.not, label %take_lock.exit, label %if.then.i9

if.then.i9:                                       ; preds = %pop.exit
  call void @PyEval_RestoreThread(ptr nonnull %8) #5
  br label %take_lock.exit

take_lock.exit:                                   ; preds = %pop.exit, %if.then.i9
  ret void
}

declare void @em.run.child_ends(i32) #1

define void @em.run.python_left(ptr %call, ptr %raiser) #0 {
entry:
  %0 = load volatile ptr, ptr %call, align 8, !tbaa !27
  %arena.i = getelementptr inbounds nuw i8, ptr %call, i64 32
  %1 = load ptr, ptr %arena.i, align 8, !tbaa !13
  %slot2.i = getelementptr inbounds nuw i8, ptr %1, i64 128
  %2 = load ptr, ptr %slot2.i, align 8, !tbaa !17
  %tobool.i.not = icmp eq ptr %2, null
  br i1 %tobool.i.not, label %pop.exit, label %if.then.i

if.then.i:                                        ; preds = %entry
  %frame3.i = getelementptr inbounds nuw i8, ptr %2, i64 8
  store volatile ptr %0, ptr %frame3.i, align 8, !tbaa !24
  br label %pop.exit

pop.exit:                                         ; preds = %entry, %if.then.i
  %3 = load i32, ptr @em.run.frame_key, align 4, !tbaa !20
  %call4.i = call i32 @pthread_setspecific(i32 %3, ptr %0) #5
  %4 = load ptr, ptr %arena.i, align 8, !tbaa !13
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 40
  %5 = load ptr, ptr %mark, align 8, !tbaa !29
  call void @em.run.arena_unwind(ptr %4, ptr %5) #5
  %thread.i = getelementptr inbounds nuw i8, ptr %call, i64 48
  %6 = load ptr, ptr %thread.i, align 8, !tbaa !30
  %tobool.i2.not = icmp eq ptr %6, null
  br i1 %tobool.i2.not, label %take_lock.exit, label %if.then.i3

if.then.i3:                                       ; preds = %pop.exit
  call void @PyEval_RestoreThread(ptr nonnull %6) #5
  br label %take_lock.exit

take_lock.exit:                                   ; preds = %pop.exit, %if.then.i3
  %record = getelementptr inbounds nuw i8, ptr %call, i64 64
  %call1 = call ptr @PyBytes_FromStringAndSize(ptr nonnull %record, i64 40) #5
  %tobool.not = icmp eq ptr %call1, null
  br i1 %tobool.not, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %take_lock.exit
  %call2 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %raiser, ptr nonnull %call1, ptr null) #5
  call void @Py_DecRef(ptr nonnull %call1) #5
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %take_lock.exit
  ret void
}

declare void @em.run.arena_unwind(ptr, ptr) #2

declare ptr @PyBytes_FromStringAndSize(ptr, i64) #2

declare ptr @PyObject_CallFunctionObjArgs(ptr, ...) #2

declare void @Py_DecRef(ptr) #2

declare ptr @em.run.arena_current() #2

declare i32 @pthread_setspecific(i32, ptr) #3

declare ptr @pthread_getspecific(i32) #3

declare void @PyEval_RestoreThread(ptr) #2

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { cold noreturn "no-trapping-math"="true" }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { nounwind "no-trapping-math"="true" }
attributes #4 = { cold noreturn nounwind }
attributes #5 = { nounwind }

!0 = !{!1, !8, i64 56}
!1 = !{!"guarded", !2, i64 0, !9, i64 32, !4, i64 40, !4, i64 48, !8, i64 56, !10, i64 64}
!2 = !{!"frame", !3, i64 0, !7, i64 8, !4, i64 16, !8, i64 24}
!3 = !{!"p1 _ZTS5frame", !4, i64 0}
!4 = !{!"any pointer", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = !{!"p1 _ZTS6record", !4, i64 0}
!8 = !{!"long", !5, i64 0}
!9 = !{!"p1 _ZTS5arena", !4, i64 0}
!10 = !{!"record", !11, i64 0, !11, i64 4, !12, i64 8, !12, i64 16, !4, i64 24, !8, i64 32}
!11 = !{!"int", !5, i64 0}
!12 = !{!"p1 omnipotent char", !4, i64 0}
!13 = !{!1, !9, i64 32}
!14 = !{!1, !7, i64 8}
!15 = !{!1, !4, i64 16}
!16 = !{!1, !8, i64 24}
!17 = !{!18, !4, i64 128}
!18 = !{!"arena", !12, i64 0, !12, i64 8, !12, i64 16, !19, i64 24, !19, i64 32, !8, i64 40, !8, i64 48, !8, i64 56, !8, i64 64, !8, i64 72, !8, i64 80, !8, i64 88, !8, i64 96, !4, i64 104, !8, i64 112, !4, i64 120, !4, i64 128, !4, i64 136, !5, i64 144}
!19 = !{!"p1 _ZTS5chunk", !4, i64 0}
!20 = !{!11, !11, i64 0}
!21 = !{!2, !3, i64 0}
!22 = !{!23, !8, i64 16}
!23 = !{!"slot", !8, i64 0, !3, i64 8, !8, i64 16, !8, i64 24, !8, i64 32, !8, i64 40, !8, i64 48, !8, i64 56, !8, i64 64}
!24 = !{!23, !3, i64 8}
!25 = !{!23, !8, i64 24}
!26 = !{!23, !8, i64 40}
!27 = !{!1, !3, i64 0}
!28 = !{!18, !12, i64 0}
!29 = !{!1, !4, i64 40}
!30 = !{!1, !4, i64 48}
