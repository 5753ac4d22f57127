%struct.birth = type { ptr, ptr, ptr, i64, i64, i32 }
%struct.__sigset_t = type { [16 x i64] }
%struct.record = type { i32, i32, ptr, ptr, ptr, i64 }
%struct.frame = type { ptr, ptr, ptr, i64 }

@em.run.live = external global i64, align 8
@em.run.arena_key = external global i32, align 4
@notified.faults = internal constant [6 x i32] [i32 4, i32 5, i32 7, i32 8, i32 11, i32 23], align 4

define i32 @em.run.pthread_create(ptr %thread, ptr %attributes, ptr %start, ptr %argument) #0 {
entry:
  %birth = alloca %struct.birth, align 8
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call1 = call i32 @pthread_create(ptr %thread, ptr %attributes, ptr %start, ptr %argument) #11
  br label %return

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %birth) #11
  call void @birth_of(ptr dead_on_unwind nonnull writable sret(%struct.birth) align 8 %birth, ptr %start, ptr %argument)
  %call2 = call i32 @pthread_create(ptr %thread, ptr %attributes, ptr nonnull @begins, ptr nonnull %birth) #11
  %call3 = call i32 @wait_for(ptr nonnull %birth, i32 %call2)
  call void @llvm.lifetime.end.p0(ptr nonnull %birth) #11
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call3, %if.end ], [ %call1, %if.then ]
  ret i32 %retval.0
}

declare i32 @em.run.is_called() #1

declare i32 @pthread_create(ptr, ptr, ptr, ptr) #2

declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

define internal void @birth_of(ptr dead_on_unwind noalias writable sret(%struct.birth) align 8 %agg.result, ptr %start, ptr %argument) #0 {
entry:
  %call = call ptr @em.run.slot() #11
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cond.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %owner1 = getelementptr inbounds nuw i8, ptr %call, i64 120
  %0 = load ptr, ptr %owner1, align 8, !tbaa !0
  %tobool2.not = icmp eq ptr %0, null
  %spec.select = select i1 %tobool2.not, ptr %call, ptr %0
  br label %cond.end

cond.end:                                         ; preds = %land.lhs.true, %entry
  %cond = phi ptr [ null, %entry ], [ %spec.select, %land.lhs.true ]
  store ptr %start, ptr %agg.result, align 8, !tbaa !11
  %argument5 = getelementptr inbounds nuw i8, ptr %agg.result, i64 8
  store ptr %argument, ptr %argument5, align 8, !tbaa !13
  %owner6 = getelementptr inbounds nuw i8, ptr %agg.result, i64 16
  store ptr %cond, ptr %owner6, align 8, !tbaa !14
  %tid = getelementptr inbounds nuw i8, ptr %agg.result, i64 24
  store i64 0, ptr %tid, align 8, !tbaa !15
  %call7 = getelementptr inbounds nuw i8, ptr %agg.result, i64 32
  store i64 0, ptr %call7, align 8, !tbaa !16
  %ready = getelementptr inbounds nuw i8, ptr %agg.result, i64 40
  store volatile i32 0, ptr %ready, align 8, !tbaa !17
  %1 = getelementptr inbounds nuw i8, ptr %agg.result, i64 44
  store i32 0, ptr %1, align 4
  br i1 %tobool.not, label %cleanup, label %if.end

if.end:                                           ; preds = %cond.end
  %owner9 = getelementptr inbounds nuw i8, ptr %call, i64 120
  %2 = load ptr, ptr %owner9, align 8, !tbaa !0
  %tobool10.not = icmp eq ptr %2, null
  %cond15.in.idx = select i1 %tobool10.not, i64 0, i64 128
  %cond15.in = getelementptr inbounds nuw i8, ptr %call, i64 %cond15.in.idx
  %cond15 = load i64, ptr %cond15.in, align 8, !tbaa !18
  store i64 %cond15, ptr %tid, align 8, !tbaa !15
  br i1 %tobool10.not, label %cond.false20, label %cond.true19

cond.true19:                                      ; preds = %if.end
  %owner_call = getelementptr inbounds nuw i8, ptr %call, i64 136
  %3 = load i64, ptr %owner_call, align 8, !tbaa !19
  br label %cond.end21

cond.false20:                                     ; preds = %if.end
  %calls = getelementptr inbounds nuw i8, ptr %call, i64 16
  %4 = load volatile i64, ptr %calls, align 8, !tbaa !20
  br label %cond.end21

cond.end21:                                       ; preds = %cond.false20, %cond.true19
  %cond22 = phi i64 [ %3, %cond.true19 ], [ %4, %cond.false20 ]
  store i64 %cond22, ptr %call7, align 8, !tbaa !16
  br label %cleanup

cleanup:                                          ; preds = %cond.end, %cond.end21
  ret void
}

define internal i32 @wait_for(ptr %birth, i32 %failed) #0 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %while.body, %entry
  %tobool.not = icmp eq i32 %failed, 0
  br i1 %tobool.not, label %land.rhs, label %while.end

land.rhs:                                         ; preds = %while.cond
  %ready = getelementptr inbounds nuw i8, ptr %birth, i64 40
  %0 = load atomic volatile i32, ptr %ready acquire, align 8
  %tobool1.not = icmp eq i32 %0, 0
  br i1 %tobool1.not, label %while.body, label %while.end

while.body:                                       ; preds = %land.rhs
  %call = call i32 @sched_yield() #11
  br label %while.cond, !llvm.loop !21

while.end:                                        ; preds = %while.cond, %land.rhs
  ret i32 %failed
}

define internal ptr @begins(ptr %given) #0 {
entry:
  %birth = alloca %struct.birth, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %birth) #11
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(48) %birth, ptr noundef nonnull align 8 dereferenceable(48) %given, i64 48, i1 false), !tbaa.struct !23
  call void @enlist(ptr nonnull %birth)
  %ready = getelementptr inbounds nuw i8, ptr %given, i64 40
  store atomic volatile i32 1, ptr %ready release, align 8
  %call = call ptr @guarded_run(ptr nonnull %birth)
  call void @llvm.lifetime.end.p0(ptr nonnull %birth) #11
  ret ptr %call
}

declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

define i32 @em.run.thrd_create(ptr %thread, ptr %start, ptr %argument) #0 {
entry:
  %birth = alloca %struct.birth, align 8
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call1 = call i32 @thrd_create(ptr %thread, ptr %start, ptr %argument) #11
  br label %return

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %birth) #11
  call void @birth_of(ptr dead_on_unwind nonnull writable sret(%struct.birth) align 8 %birth, ptr %start, ptr %argument)
  %call2 = call i32 @thrd_create(ptr %thread, ptr nonnull @begins, ptr nonnull %birth) #11
  %call3 = call i32 @wait_for(ptr nonnull %birth, i32 %call2)
  call void @llvm.lifetime.end.p0(ptr nonnull %birth) #11
  br label %return

return:                                           ; preds = %if.end, %if.then
  %retval.0 = phi i32 [ %call3, %if.end ], [ %call1, %if.then ]
  ret i32 %retval.0
}

declare i32 @thrd_create(ptr, ptr, ptr) #1

define i32 @em.run.pthread_join(i64 %thread, ptr %result) #0 {
entry:
  %call = call i32 @pthread_join(i64 %thread, ptr %result) #11
  %call1 = call i32 @joined(i32 %call)
  ret i32 %call1
}

define internal i32 @joined(i32 %failed) #0 {
entry:
  %0 = load i32, ptr @em.run.arena_key, align 4, !tbaa !26
  %call.i = call ptr @pthread_getspecific(i32 %0) #11
  %tobool.i.not = icmp eq ptr %call.i, null
  br i1 %tobool.i.not, label %slot_here.exit, label %cond.true.i

cond.true.i:                                      ; preds = %entry
  %slot.i = getelementptr inbounds nuw i8, ptr %call.i, i64 128
  %1 = load ptr, ptr %slot.i, align 8, !tbaa !27
  br label %slot_here.exit

slot_here.exit:                                   ; preds = %entry, %cond.true.i
  %cond.i = phi ptr [ %1, %cond.true.i ], [ null, %entry ]
  %tobool.not = icmp eq ptr %cond.i, null
  br i1 %tobool.not, label %cond.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %slot_here.exit
  %call1 = call i32 @em.run.is_called() #11
  %tobool2.not = icmp eq i32 %call1, 0
  br i1 %tobool2.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %land.lhs.true
  %calls1.i = getelementptr inbounds nuw i8, ptr %cond.i, i64 16
  %2 = load volatile i64, ptr %calls1.i, align 8, !tbaa !20
  %request2.i = getelementptr inbounds nuw i8, ptr %cond.i, i64 24
  %3 = load volatile i64, ptr %request2.i, align 8, !tbaa !30
  %expired3.i = getelementptr inbounds nuw i8, ptr %cond.i, i64 40
  %4 = load volatile i64, ptr %expired3.i, align 8, !tbaa !31
  %tobool.i1 = icmp ne i64 %3, 0
  %cmp.i = icmp eq i64 %3, %2
  %or.cond = select i1 %tobool.i1, i1 %cmp.i, i1 false
  br i1 %or.cond, label %cond.end, label %cond.false.i2

cond.false.i2:                                    ; preds = %cond.true
  %tobool4.i.not = icmp eq i64 %4, 0
  br i1 %tobool4.i.not, label %cond.false6.i, label %cond.end

cond.false6.i:                                    ; preds = %cond.false.i2
  %failure.i = getelementptr inbounds nuw i8, ptr %cond.i, i64 72
  %5 = load volatile i64, ptr %failure.i, align 8, !tbaa !32
  %cmp7.i = icmp eq i64 %5, 2
  %cond.i3 = select i1 %cmp7.i, i32 256, i32 0
  br label %cond.end

cond.end:                                         ; preds = %slot_here.exit, %land.lhs.true, %cond.true, %cond.false.i2, %cond.false6.i
  %cond = phi i32 [ 11, %cond.false.i2 ], [ 10, %cond.true ], [ %cond.i3, %cond.false6.i ], [ 0, %land.lhs.true ], [ 0, %slot_here.exit ]
  %tobool4.not = icmp eq i32 %cond, 0
  br i1 %tobool4.not, label %if.end, label %if.then

if.then:                                          ; preds = %cond.end
  call void @em.run.leave_due(ptr %cond.i, i32 %cond) #12
  unreachable

if.end:                                           ; preds = %cond.end
  ret i32 %failed
}

declare i32 @pthread_join(i64, ptr) #1

define i32 @em.run.thrd_join(i64 %thread, ptr %result) #0 {
entry:
  %call = call i32 @thrd_join(i64 %thread, ptr %result) #11
  %call1 = call i32 @joined(i32 %call)
  ret i32 %call1
}

declare i32 @thrd_join(i64, ptr) #1

define void @em.run.thrd_exit(i32 %result) #4 {
entry:
  %conv = zext i32 %result to i64
  %0 = inttoptr i64 %conv to ptr
  call void @em.run.thread_exit(ptr %0) #13
  unreachable
}

declare void @em.run.thread_exit(ptr) #5

define void @em.run.thread_event(ptr %event) #0 {
entry:
  %tmp = alloca %struct.birth, align 8
  %call = call noalias dereferenceable_or_null(48) ptr @malloc(i64 48) #14
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %tmp) #11
  %_sigev_un = getelementptr inbounds nuw i8, ptr %event, i64 16
  %0 = load ptr, ptr %_sigev_un, align 8, !tbaa !33
  %1 = load ptr, ptr %event, align 8, !tbaa !33
  call void @birth_of(ptr dead_on_unwind nonnull writable sret(%struct.birth) align 8 %tmp, ptr %0, ptr %1)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %call, ptr align 8 %tmp, i64 48, i1 true), !tbaa.struct !23
  call void @llvm.lifetime.end.p0(ptr nonnull %tmp) #11
  %2 = load ptr, ptr %call, align 8, !tbaa !11
  %3 = ptrtoint ptr %2 to i64
  %call1 = call i1 @em.run.is_program(i64 %3) #11
  %conv = zext i1 %call1 to i32
  %ready = getelementptr inbounds nuw i8, ptr %call, i64 40
  store volatile i32 %conv, ptr %ready, align 8, !tbaa !17
  store ptr %call, ptr %event, align 8, !tbaa !33
  store ptr @notified, ptr %_sigev_un, align 8, !tbaa !33
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %entry
  ret void
}

declare noalias ptr @malloc(i64) #6

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #7

declare i1 @em.run.is_program(i64) #1

define internal void @notified(i64 %given.coerce) #0 {
entry:
  %set.i = alloca %struct.__sigset_t, align 8
  %coerce.val.ip = inttoptr i64 %given.coerce to ptr
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %cmp = icmp samesign ult i64 %k.0, 6
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw i32, ptr @notified.faults, i64 %k.0
  %0 = load i32, ptr %arrayidx, align 4, !tbaa !26
  call void @llvm.lifetime.start.p0(ptr nonnull %set.i) #11
  %call.i = call i32 @sigemptyset(ptr nonnull %set.i) #11
  %call1.i = call i32 @sigaddset(ptr nonnull %set.i, i32 %0) #11
  %call2.i = call i32 @pthread_sigmask(i32 1, ptr nonnull %set.i, ptr null) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %set.i) #11
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !34

for.end:                                          ; preds = %for.cond
  call void @enlist(ptr %coerce.val.ip)
  %ready = getelementptr inbounds nuw i8, ptr %coerce.val.ip, i64 40
  %1 = load volatile i32, ptr %ready, align 8, !tbaa !17
  %tobool.not = icmp eq i32 %1, 0
  br i1 %tobool.not, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.end
  %2 = load ptr, ptr %coerce.val.ip, align 8, !tbaa !11
  %3 = ptrtoint ptr %2 to i64
  %call = call i1 @em.run.is_program(i64 %3) #11
  br i1 %call, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %for.end
  %call1 = call ptr @guarded_run(ptr %coerce.val.ip)
  br label %if.end

if.end:                                           ; preds = %if.then, %lor.lhs.false
  ret void
}

declare ptr @em.run.slot() #1

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #8

declare i32 @sched_yield() #2

define internal void @enlist(ptr %birth) #0 {
entry:
  %call = call ptr @em.run.arena_current() #11
  %slot1 = getelementptr inbounds nuw i8, ptr %call, i64 128
  %0 = load ptr, ptr %slot1, align 8, !tbaa !27
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %cleanup.cont, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %owner = getelementptr inbounds nuw i8, ptr %birth, i64 16
  %1 = load ptr, ptr %owner, align 8, !tbaa !14
  %tobool2.not = icmp eq ptr %1, null
  br i1 %tobool2.not, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %lor.lhs.false
  %tid = getelementptr inbounds nuw i8, ptr %birth, i64 24
  %2 = load i64, ptr %tid, align 8, !tbaa !15
  %owner_tid = getelementptr inbounds nuw i8, ptr %0, i64 128
  store i64 %2, ptr %owner_tid, align 8, !tbaa !35
  %call3 = getelementptr inbounds nuw i8, ptr %birth, i64 32
  %3 = load i64, ptr %call3, align 8, !tbaa !16
  %owner_call = getelementptr inbounds nuw i8, ptr %0, i64 136
  store i64 %3, ptr %owner_call, align 8, !tbaa !19
  %threads = getelementptr inbounds nuw i8, ptr %1, i64 144
  %4 = atomicrmw volatile add ptr %threads, i64 1 acq_rel, align 8
  %5 = atomicrmw volatile add ptr @em.run.live, i64 1 acq_rel, align 8
  %owner7 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %6 = load ptr, ptr %owner, align 8, !tbaa !14
  %7 = ptrtoint ptr %6 to i64
  store atomic i64 %7, ptr %owner7 release, align 8
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %lor.lhs.false, %entry
  ret void
}

define internal ptr @guarded_run(ptr %birth) #0 {
entry:
  %record = alloca %struct.record, align 8
  %frame = alloca %struct.frame, align 8
  %buffer2 = alloca [512 x i8], align 16
  %result = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %record) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %record, i8 0, i64 40, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %frame) #11
  store volatile ptr null, ptr %frame, align 8, !tbaa !36
  %record1 = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store volatile ptr %record, ptr %record1, align 8, !tbaa !39
  %buffer = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store volatile ptr null, ptr %buffer, align 8, !tbaa !40
  %marks = getelementptr inbounds nuw i8, ptr %frame, i64 24
  store volatile i64 4, ptr %marks, align 8, !tbaa !41
  call void @llvm.lifetime.start.p0(ptr nonnull %buffer2) #11
  call void @llvm.lifetime.start.p0(ptr nonnull %result)
  store volatile ptr null, ptr %result, align 8, !tbaa !24
  store volatile ptr %buffer2, ptr %buffer, align 8, !tbaa !40
  call void @em.run.push_frame(ptr nonnull %frame) #11
  %call = call i32 @_setjmp(ptr nonnull %buffer2) #15
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  %0 = load ptr, ptr %birth, align 8, !tbaa !11
  %argument = getelementptr inbounds nuw i8, ptr %birth, i64 8
  %1 = load ptr, ptr %argument, align 8, !tbaa !13
  %call5 = call ptr %0(ptr %1) #11
  store volatile ptr %call5, ptr %result, align 8, !tbaa !24
  %2 = load volatile i64, ptr %marks, align 8, !tbaa !41
  %and = and i64 %2, 1
  %tobool7.not = icmp eq i64 %and, 0
  br i1 %tobool7.not, label %if.end14, label %if.then8

if.then8:                                         ; preds = %if.then
  call void @em.run.child_ends(i32 0) #12
  unreachable

if.else:                                          ; preds = %entry
  %3 = load i32, ptr %record, align 8, !tbaa !42
  %4 = add i32 %3, -12
  %or.cond = icmp ult i32 %4, -2
  br i1 %or.cond, label %if.then11, label %if.end14

if.then11:                                        ; preds = %if.else
  %or = or i32 %3, 256
  store i32 %or, ptr %record, align 8, !tbaa !42
  %owner = getelementptr inbounds nuw i8, ptr %birth, i64 16
  %5 = load ptr, ptr %owner, align 8, !tbaa !14
  %tid = getelementptr inbounds nuw i8, ptr %birth, i64 24
  %6 = load i64, ptr %tid, align 8, !tbaa !15
  call void @em.run.fails(ptr %5, i64 %6, ptr nonnull %record) #11
  br label %if.end14

if.end14:                                         ; preds = %if.else, %if.then11, %if.then
  call void @em.run.pop_frame(ptr nonnull %frame) #11
  %result.0. = load volatile ptr, ptr %result, align 8, !tbaa !24
  call void @llvm.lifetime.end.p0(ptr nonnull %result)
  call void @llvm.lifetime.end.p0(ptr nonnull %buffer2) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %frame) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %record) #11
  ret ptr %result.0.
}

declare ptr @em.run.arena_current() #1

declare void @em.run.push_frame(ptr) #1

declare i32 @_setjmp(ptr) #9

declare void @em.run.child_ends(i32) #10

declare void @em.run.fails(ptr, i64, ptr) #1

declare void @em.run.pop_frame(ptr) #1

declare void @em.run.leave_due(ptr, i32) #10

declare ptr @pthread_getspecific(i32) #2

declare i32 @sigemptyset(ptr) #2

declare i32 @sigaddset(ptr, i32) #2

declare i32 @pthread_sigmask(i32, ptr, ptr) #2

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }
attributes #2 = { nounwind "no-trapping-math"="true" }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { noreturn nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #5 = { noreturn "no-trapping-math"="true" }
attributes #6 = { nounwind allocsize(0) "no-trapping-math"="true" }
attributes #7 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #8 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #9 = { nounwind returns_twice "no-trapping-math"="true" }
attributes #10 = { cold noreturn "no-trapping-math"="true" }
attributes #11 = { nounwind }
attributes #12 = { cold noreturn nounwind }
attributes #13 = { noreturn nounwind }
attributes #14 = { nounwind allocsize(0) }
attributes #15 = { nounwind returns_twice }

!0 = !{!1, !10, i64 120}
!1 = !{!"slot", !2, i64 0, !5, i64 8, !2, i64 16, !2, i64 24, !2, i64 32, !2, i64 40, !2, i64 48, !2, i64 56, !2, i64 64, !2, i64 72, !7, i64 80, !10, i64 120, !2, i64 128, !2, i64 136, !2, i64 144}
!2 = !{!"long", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!"p1 _ZTS5frame", !6, i64 0}
!6 = !{!"any pointer", !3, i64 0}
!7 = !{!"record", !8, i64 0, !8, i64 4, !9, i64 8, !9, i64 16, !6, i64 24, !2, i64 32}
!8 = !{!"int", !3, i64 0}
!9 = !{!"p1 omnipotent char", !6, i64 0}
!10 = !{!"p1 _ZTS4slot", !6, i64 0}
!11 = !{!12, !6, i64 0}
!12 = !{!"birth", !6, i64 0, !6, i64 8, !10, i64 16, !2, i64 24, !2, i64 32, !8, i64 40}
!13 = !{!12, !6, i64 8}
!14 = !{!12, !10, i64 16}
!15 = !{!12, !2, i64 24}
!16 = !{!12, !2, i64 32}
!17 = !{!12, !8, i64 40}
!18 = !{!2, !2, i64 0}
!19 = !{!1, !2, i64 136}
!20 = !{!1, !2, i64 16}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.mustprogress"}
!23 = !{i64 0, i64 8, !24, i64 8, i64 8, !24, i64 16, i64 8, !25, i64 24, i64 8, !18, i64 32, i64 8, !18, i64 40, i64 4, !26}
!24 = !{!6, !6, i64 0}
!25 = !{!10, !10, i64 0}
!26 = !{!8, !8, i64 0}
!27 = !{!28, !6, i64 128}
!28 = !{!"arena", !9, i64 0, !9, i64 8, !9, i64 16, !29, i64 24, !29, i64 32, !2, i64 40, !2, i64 48, !2, i64 56, !2, i64 64, !2, i64 72, !2, i64 80, !2, i64 88, !2, i64 96, !6, i64 104, !2, i64 112, !6, i64 120, !6, i64 128, !6, i64 136, !3, i64 144}
!29 = !{!"p1 _ZTS5chunk", !6, i64 0}
!30 = !{!1, !2, i64 24}
!31 = !{!1, !2, i64 40}
!32 = !{!1, !2, i64 72}
!33 = !{!3, !3, i64 0}
!34 = distinct !{!34, !22}
!35 = !{!1, !2, i64 128}
!36 = !{!37, !5, i64 0}
!37 = !{!"frame", !5, i64 0, !38, i64 8, !6, i64 16, !2, i64 24}
!38 = !{!"p1 _ZTS6record", !6, i64 0}
!39 = !{!37, !38, i64 8}
!40 = !{!37, !6, i64 16}
!41 = !{!37, !2, i64 24}
!42 = !{!7, !8, i64 0}
