%struct.anon = type { i64, i64, [0 x %struct.anon.0] }
%struct.anon.0 = type { i64, i64 }
%struct.sigaction = type { %union.anon, %struct.__sigset_t, i32, ptr }
%union.anon = type { ptr }
%struct.__sigset_t = type { [16 x i64] }
%struct.stack_t = type { ptr, i32, i64 }

@em.run.code_ranges = external global %struct.anon, align 8
@em.run.old_0 = global [65 x %struct.sigaction] zeroinitializer, align 8
@em.run.old_1 = global [65 x %struct.sigaction] zeroinitializer, align 8
@em.run.old_2 = global [65 x %struct.sigaction] zeroinitializer, align 8
@em.run.old_3 = global [65 x %struct.sigaction] zeroinitializer, align 8
@unguarded.said = internal constant [208 x i8] c"enzyme_magic: a fault in C code that is no call of Python's: in a thread of a library (OpenMP), or called by its address (SciPy, Numba). It cannot be left; compiled with isolate=True, a worker ends instead.\0A\00", align 1
@overwritten.said = internal constant [127 x i8] c"enzyme_magic: C code has overwritten the stack of the process, which cannot go on. Compiled with isolate=True, it ends alone.\0A\00", align 1
@em.run.frame_key = external global i32, align 4

define i1 @em.run.is_program(i64 %place) #0 {
entry:
  %0 = freeze i64 %place
  %1 = load atomic i64, ptr @em.run.code_ranges acquire, align 8
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %retval.0 = phi i1 [ undef, %entry ], [ %retval.2, %for.inc ]
  %cmp.not = icmp ult i64 %k.0, %1
  br i1 %cmp.not, label %for.body, label %cleanup8

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw %struct.anon.0, ptr getelementptr inbounds nuw (i8, ptr @em.run.code_ranges, i64 16), i64 %k.0
  %2 = load volatile i64, ptr %arrayidx, align 8, !tbaa !0
  %end3 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %3 = load volatile i64, ptr %end3, align 8, !tbaa !5
  %4 = add i64 %2, -1
  %or.cond = icmp ult i64 %4, %0
  %cmp6 = icmp ult i64 %0, %3
  %or.cond8 = select i1 %or.cond, i1 %cmp6, i1 false
  %retval.2 = select i1 %or.cond8, i1 true, i1 %retval.0
  br i1 %or.cond8, label %cleanup8, label %for.inc

for.inc:                                          ; preds = %for.body
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !6

cleanup8:                                         ; preds = %for.cond, %for.body
  %spec.select = phi i1 [ %retval.2, %for.body ], [ false, %for.cond ]
  ret i1 %spec.select
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define void @em.run.pass(i32 %number, ptr %info, ptr %context, ptr %old) #0 {
entry:
  %0 = load ptr, ptr %old, align 8, !tbaa !8
  %magicptr9 = ptrtoint ptr %0 to i64
  switch i64 %magicptr9, label %if.then4 [
    i64 0, label %if.then
    i64 1, label %land.lhs.true
  ]

land.lhs.true:                                    ; preds = %entry
  %si_code = getelementptr inbounds nuw i8, ptr %info, i64 8
  %1 = load i32, ptr %si_code, align 8, !tbaa !9
  %cmp2 = icmp sgt i32 %1, 0
  br i1 %cmp2, label %if.then, label %if.else

if.then:                                          ; preds = %entry, %land.lhs.true
  call void @by_default(i32 %number)
  br label %if.end9

if.else:                                          ; preds = %land.lhs.true
  %cmp3.not = icmp eq ptr %0, inttoptr (i64 1 to ptr)
  br i1 %cmp3.not, label %if.end9, label %if.then4

if.then4:                                         ; preds = %entry, %if.else
  %sa_flags = getelementptr inbounds nuw i8, ptr %old, i64 136
  %2 = load i32, ptr %sa_flags, align 8, !tbaa !12
  %and = and i32 %2, 4
  %tobool.not = icmp eq i32 %and, 0
  br i1 %tobool.not, label %if.else7, label %if.then5

if.then5:                                         ; preds = %if.then4
  call void %0(i32 %number, ptr %info, ptr %context) #9
  br label %if.end9

if.else7:                                         ; preds = %if.then4
  call void %0(i32 %number) #9
  br label %if.end9

if.end9:                                          ; preds = %if.else, %if.else7, %if.then5, %if.then
  ret void
}

define internal void @by_default(i32 %number) #0 {
entry:
  %call = call ptr @signal(i32 %number, ptr null) #9
  %call1 = call i32 @raise(i32 %number) #9
  ret void
}

define void @em.run.signal_0(i32 %number, ptr %info, ptr %context) #0 {
entry:
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.sigaction, ptr @em.run.old_0, i64 %idxprom
  call void @handle(i32 %number, ptr %info, ptr %context, ptr nonnull %arrayidx)
  ret void
}

define internal void @handle(i32 %number, ptr %info, ptr %context, ptr %old) #0 {
entry:
  %set.i = alloca %struct.__sigset_t, align 8
  switch i32 %number, label %if.end7 [
    i32 23, label %if.then
    i32 2, label %if.then
  ]

if.then:                                          ; preds = %entry, %entry
  %0 = load ptr, ptr %old, align 8, !tbaa !8
  %magicptr = ptrtoint ptr %0 to i64
  switch i64 %magicptr, label %if.then5 [
    i64 0, label %if.end
    i64 1, label %if.end
  ]

if.then5:                                         ; preds = %if.then
  call void @em.run.pass(i32 %number, ptr %info, ptr %context, ptr nonnull %old)
  br label %if.end

if.end:                                           ; preds = %if.then, %if.then, %if.then5
  %call = call i64 @counter_of(ptr %context)
  %call6 = call i1 @em.run.is_program(i64 %call)
  call void @em.run.stop(i32 %number, i1 %call6) #9
  br label %cleanup.cont

if.end7:                                          ; preds = %entry
  %si_code = getelementptr inbounds nuw i8, ptr %info, i64 8
  %1 = load i32, ptr %si_code, align 8, !tbaa !9
  %cmp8 = icmp slt i32 %1, 1
  br i1 %cmp8, label %cond.end, label %cond.true

cond.true:                                        ; preds = %if.end7
  %2 = load i32, ptr @em.run.frame_key, align 4, !tbaa !16
  %call.i = call ptr @pthread_getspecific(i32 %2) #9
  br label %cond.end

cond.end:                                         ; preds = %if.end7, %cond.true
  %cond = phi ptr [ %call.i, %cond.true ], [ null, %if.end7 ]
  %tobool.not = icmp eq ptr %cond, null
  br i1 %tobool.not, label %cond.end13, label %cond.true10

cond.true10:                                      ; preds = %cond.end
  %call11 = call i64 @place_of_fault(ptr %info, ptr %context, ptr nonnull %cond)
  br label %cond.end13

cond.end13:                                       ; preds = %cond.end, %cond.true10
  %cond14 = phi i64 [ %call11, %cond.true10 ], [ 1, %cond.end ]
  %cmp15 = icmp eq i64 %cond14, 1
  br i1 %cmp15, label %if.then16, label %if.end25

if.then16:                                        ; preds = %cond.end13
  %tobool19 = icmp ne ptr %cond, null
  %or.cond = or i1 %cmp8, %tobool19
  br i1 %or.cond, label %if.end24, label %land.lhs.true20

land.lhs.true20:                                  ; preds = %if.then16
  %call21 = call i64 @counter_of(ptr %context)
  %call22 = call i1 @em.run.is_program(i64 %call21)
  br i1 %call22, label %if.then23, label %if.end24

if.then23:                                        ; preds = %land.lhs.true20
  call void @unguarded()
  br label %if.end24

if.end24:                                         ; preds = %if.then23, %land.lhs.true20, %if.then16
  call void @em.run.pass(i32 %number, ptr %info, ptr %context, ptr %old)
  br label %cleanup.cont

if.end25:                                         ; preds = %cond.end13
  %marks26 = getelementptr inbounds nuw i8, ptr %cond, i64 24
  %3 = load volatile i64, ptr %marks26, align 8, !tbaa !17
  %call27 = call i1 @is_whole(ptr %cond)
  %and = and i64 %3, 2
  %tobool29 = icmp eq i64 %and, 0
  %or.cond33.not = select i1 %call27, i1 %tobool29, i1 false
  br i1 %or.cond33.not, label %if.else, label %if.then30

if.then30:                                        ; preds = %if.end25
  call void @overwritten(i32 %number)
  br label %cleanup.cont

if.else:                                          ; preds = %if.end25
  %and31 = and i64 %3, 1
  %tobool32.not = icmp eq i64 %and31, 0
  br i1 %tobool32.not, label %if.else34, label %if.then33

if.then33:                                        ; preds = %if.else
  call void @em.run.pass(i32 %number, ptr %info, ptr %context, ptr %old)
  br label %cleanup.cont

if.else34:                                        ; preds = %if.else
  %or = or disjoint i64 %3, 2
  store volatile i64 %or, ptr %marks26, align 8, !tbaa !17
  call void @llvm.lifetime.start.p0(ptr nonnull %set.i) #9
  %call.i1 = call i32 @sigemptyset(ptr nonnull %set.i) #9
  %call1.i = call i32 @sigaddset(ptr nonnull %set.i, i32 %number) #9
  %call2.i = call i32 @pthread_sigmask(i32 1, ptr nonnull %set.i, ptr null) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %set.i) #9
  %4 = inttoptr i64 %cond14 to ptr
  %_sifields = getelementptr inbounds nuw i8, ptr %info, i64 16
  %5 = load ptr, ptr %_sifields, align 8, !tbaa !8
  %6 = ptrtoint ptr %5 to i64
  call void @em.run.leave(i32 8, i32 %number, ptr null, ptr null, ptr %4, i64 %6) #10
  unreachable

cleanup.cont:                                     ; preds = %if.end24, %if.then33, %if.then30, %if.end
  ret void
}

define void @em.run.signal_1(i32 %number, ptr %info, ptr %context) #0 {
entry:
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.sigaction, ptr @em.run.old_1, i64 %idxprom
  call void @handle(i32 %number, ptr %info, ptr %context, ptr nonnull %arrayidx)
  ret void
}

define void @em.run.signal_2(i32 %number, ptr %info, ptr %context) #0 {
entry:
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.sigaction, ptr @em.run.old_2, i64 %idxprom
  call void @handle(i32 %number, ptr %info, ptr %context, ptr nonnull %arrayidx)
  ret void
}

define void @em.run.signal_3(i32 %number, ptr %info, ptr %context) #0 {
entry:
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.sigaction, ptr @em.run.old_3, i64 %idxprom
  call void @handle(i32 %number, ptr %info, ptr %context, ptr nonnull %arrayidx)
  ret void
}

define void @em.run.signal_stack(ptr %kept) #0 {
entry:
  %now = alloca %struct.stack_t, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %now) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %now, i8 0, i64 24, i1 false)
  %call = call i32 @sigaltstack(ptr null, ptr nonnull %now) #9
  %ss_flags = getelementptr inbounds nuw i8, ptr %now, i64 8
  %0 = load i32, ptr %ss_flags, align 8, !tbaa !21
  %and = and i32 %0, 2
  %tobool.not = icmp eq i32 %and, 0
  br i1 %tobool.not, label %cleanup6, label %if.end

if.end:                                           ; preds = %entry
  %call1 = call ptr @mmap(ptr null, i64 65536, i32 3, i32 34, i32 -1, i64 0) #9
  %cmp = icmp eq ptr %call1, inttoptr (i64 -1 to ptr)
  br i1 %cmp, label %cleanup6, label %if.end3

if.end3:                                          ; preds = %if.end
  store ptr %call1, ptr %now, align 8, !tbaa !23
  store i32 0, ptr %ss_flags, align 8, !tbaa !16
  %.compoundliteral.sroa.3.0.now.sroa_idx = getelementptr inbounds nuw i8, ptr %now, i64 12
  store i32 0, ptr %.compoundliteral.sroa.3.0.now.sroa_idx, align 4
  %.compoundliteral.sroa.4.0.now.sroa_idx = getelementptr inbounds nuw i8, ptr %now, i64 16
  store i64 65536, ptr %.compoundliteral.sroa.4.0.now.sroa_idx, align 8, !tbaa !24
  %call5 = call i32 @sigaltstack(ptr nonnull %now, ptr null) #9
  store ptr %call1, ptr %kept, align 8, !tbaa !23
  br label %cleanup6

cleanup6:                                         ; preds = %if.end3, %if.end, %entry
  call void @llvm.lifetime.end.p0(ptr nonnull %now) #9
  ret void
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #2

declare i32 @sigaltstack(ptr, ptr) #3

declare ptr @mmap(ptr, i64, i32, i32, i32, i64) #3

define void @em.run.signal_stack_free(ptr %stack) #0 {
entry:
  %now = alloca %struct.stack_t, align 8
  %tobool.not = icmp eq ptr %stack, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %now) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %now, i8 0, i64 24, i1 false)
  %call = call i32 @sigaltstack(ptr null, ptr nonnull %now) #9
  %0 = load ptr, ptr %now, align 8, !tbaa !25
  %cmp = icmp eq ptr %0, %stack
  br i1 %cmp, label %if.then1, label %if.end3

if.then1:                                         ; preds = %if.end
  %ss_flags = getelementptr inbounds nuw i8, ptr %now, i64 8
  store i32 2, ptr %ss_flags, align 8, !tbaa !21
  %call2 = call i32 @sigaltstack(ptr nonnull %now, ptr null) #9
  br label %if.end3

if.end3:                                          ; preds = %if.then1, %if.end
  %call4 = call i32 @munmap(ptr nonnull %stack, i64 65536) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %now) #9
  br label %return

return:                                           ; preds = %entry, %if.end3
  ret void
}

declare i32 @munmap(ptr, i64) #3

define i32 @em.run.fork() #0 {
entry:
  %call = call i32 @fork() #9
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %cond.false, label %cond.end

cond.false:                                       ; preds = %entry
  %0 = load i32, ptr @em.run.frame_key, align 4, !tbaa !16
  %call.i = call ptr @pthread_getspecific(i32 %0) #9
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi ptr [ %call.i, %cond.false ], [ null, %entry ]
  %tobool2.not = icmp eq ptr %cond, null
  br i1 %tobool2.not, label %if.end, label %if.then

if.then:                                          ; preds = %cond.end
  %marks = getelementptr inbounds nuw i8, ptr %cond, i64 24
  store volatile i64 1, ptr %marks, align 8, !tbaa !17
  br label %if.end

if.end:                                           ; preds = %if.then, %cond.end
  ret i32 %call
}

declare i32 @fork() #3

define void @em.run.child_ends(i32 %status) #4 {
entry:
  %call = call i32 @fflush(ptr null) #9
  call void @_exit(i32 %status) #11
  unreachable
}

declare i32 @fflush(ptr) #5

declare void @_exit(i32) #6

define void @em.run.child_aborts() #4 {
entry:
  %call = call i32 @fflush(ptr null) #9
  %call1 = call ptr @signal(i32 6, ptr null) #9
  call void @abort() #10
  unreachable
}

declare ptr @signal(i32, ptr) #3

declare void @abort() #7

declare i32 @raise(i32) #3

declare void @em.run.stop(i32, i1) #5

define internal i64 @counter_of(ptr %context) #0 {
entry:
  %pc = getelementptr inbounds nuw i8, ptr %context, i64 440
  %0 = load i64, ptr %pc, align 8, !tbaa !26
  ret i64 %0
}

define internal i64 @place_of_fault(ptr %info, ptr %context, ptr %frame) #0 {
entry:
  %call = call i64 @counter_of(ptr %context)
  %call1 = call i1 @em.run.is_program(i64 %call)
  br i1 %call1, label %cleanup16, label %if.end

if.end:                                           ; preds = %entry
  %call2 = call i1 @has_no_stack(ptr %context, ptr %frame)
  br i1 %call2, label %cleanup16, label %if.end4

if.end4:                                          ; preds = %if.end
  %_sifields = getelementptr inbounds nuw i8, ptr %info, i64 16
  %0 = load ptr, ptr %_sifields, align 8, !tbaa !8
  %1 = ptrtoint ptr %0 to i64
  %cmp.not = icmp eq i64 %call, %1
  br i1 %cmp.not, label %if.end6, label %cleanup16

if.end6:                                          ; preds = %if.end4
  %call7 = call i64 @caller_of(ptr %context)
  %call8 = call i1 @em.run.is_program(i64 %call7)
  br i1 %call8, label %cleanup16, label %if.end10

if.end10:                                         ; preds = %if.end6
  %call11 = call i64 @returned_to(ptr %context)
  %cmp12 = icmp eq i64 %call11, %call
  br i1 %cmp12, label %cleanup16, label %if.end14

if.end14:                                         ; preds = %if.end10
  %or = or i64 %call7, -9223372036854775808
  %call15 = call i1 @em.run.is_program(i64 %or)
  %not.call15 = xor i1 %call15, true
  %conv = zext i1 %not.call15 to i64
  br label %cleanup16

cleanup16:                                        ; preds = %if.end14, %if.end6, %if.end10, %if.end4, %if.end, %entry
  %retval.0 = phi i64 [ 1, %if.end4 ], [ %call, %entry ], [ 0, %if.end ], [ %conv, %if.end14 ], [ %call7, %if.end6 ], [ 0, %if.end10 ]
  ret i64 %retval.0
}

define internal void @unguarded() #0 {
entry:
  %call = call i64 @write(i32 2, ptr nonnull @unguarded.said, i64 207) #9
  ret void
}

define internal i1 @is_whole(ptr %frame) #0 {
entry:
  %marks1 = getelementptr inbounds nuw i8, ptr %frame, i64 24
  %0 = load volatile i64, ptr %marks1, align 8, !tbaa !17
  %record2 = getelementptr inbounds nuw i8, ptr %frame, i64 8
  %1 = load volatile ptr, ptr %record2, align 8, !tbaa !31
  %buffer = getelementptr inbounds nuw i8, ptr %frame, i64 16
  %2 = load volatile ptr, ptr %buffer, align 8, !tbaa !32
  %tobool = icmp ult i64 %0, 8
  %tobool3 = icmp ne ptr %1, null
  %or.cond = select i1 %tobool, i1 %tobool3, i1 false
  br i1 %or.cond, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  %3 = ptrtoint ptr %2 to i64
  %4 = ptrtoint ptr %frame to i64
  %sub = sub i64 %3, %4
  %add = add i64 %sub, 65536
  %cmp = icmp ult i64 %add, 131072
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %5 = phi i1 [ %cmp, %land.rhs ], [ false, %entry ]
  ret i1 %5
}

define internal void @overwritten(i32 %number) #0 {
entry:
  %call = call i64 @write(i32 2, ptr nonnull @overwritten.said, i64 126) #9
  call void @by_default(i32 %number)
  ret void
}

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #8

define internal i1 @has_no_stack(ptr %context, ptr %frame) #0 {
entry:
  %held = alloca i8, align 1
  %sp = getelementptr inbounds nuw i8, ptr %context, i64 432
  %0 = load i64, ptr %sp, align 16, !tbaa !33
  %call = call i64 @sysconf(i32 30) #9
  call void @llvm.lifetime.start.p0(ptr nonnull %held) #9
  %1 = ptrtoint ptr %frame to i64
  %sub = sub i64 %1, %0
  %cmp = icmp ugt i64 %sub, 4294967295
  br i1 %cmp, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %entry
  %sub1 = sub i64 0, %call
  %and = and i64 %0, %sub1
  %2 = inttoptr i64 %and to ptr
  %call2 = call i32 @mincore(ptr %2, i64 1, ptr nonnull %held) #9
  %cmp3 = icmp ne i32 %call2, 0
  br label %land.end

land.end:                                         ; preds = %land.rhs, %entry
  %3 = phi i1 [ false, %entry ], [ %cmp3, %land.rhs ]
  call void @llvm.lifetime.end.p0(ptr nonnull %held) #9
  ret i1 %3
}

define internal i64 @caller_of(ptr %context) #0 {
entry:
  %arrayidx = getelementptr inbounds nuw i8, ptr %context, i64 424
  %0 = load i64, ptr %arrayidx, align 8, !tbaa !34
  ret i64 %0
}

define internal i64 @returned_to(ptr %context) #0 {
entry:
  %arrayidx = getelementptr inbounds nuw i8, ptr %context, i64 424
  %0 = load i64, ptr %arrayidx, align 8, !tbaa !34
  ret i64 %0
}

declare i64 @sysconf(i32) #3

declare i32 @mincore(ptr, i64, ptr) #3

declare i64 @write(i32, ptr, i64) #5

declare i32 @sigemptyset(ptr) #3

declare i32 @sigaddset(ptr, i32) #3

declare i32 @pthread_sigmask(i32, ptr, ptr) #3

declare ptr @pthread_getspecific(i32) #3

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nounwind "no-trapping-math"="true" }
attributes #4 = { cold noreturn nounwind optsize uwtable(sync) "no-trapping-math"="true" }
attributes #5 = { "no-trapping-math"="true" }
attributes #6 = { noreturn "no-trapping-math"="true" }
attributes #7 = { cold noreturn nounwind "no-trapping-math"="true" }
attributes #8 = { cold noreturn "no-trapping-math"="true" }
attributes #9 = { nounwind }
attributes #10 = { cold noreturn nounwind }
attributes #11 = { noreturn nounwind }

!0 = !{!1, !2, i64 0}
!1 = !{!"", !2, i64 0, !2, i64 8}
!2 = !{!"long", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!1, !2, i64 8}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
!8 = !{!3, !3, i64 0}
!9 = !{!10, !11, i64 8}
!10 = !{!"", !11, i64 0, !11, i64 4, !11, i64 8, !11, i64 12, !3, i64 16}
!11 = !{!"int", !3, i64 0}
!12 = !{!13, !11, i64 136}
!13 = !{!"sigaction", !3, i64 0, !14, i64 8, !11, i64 136, !15, i64 144}
!14 = !{!"", !3, i64 0}
!15 = !{!"any pointer", !3, i64 0}
!16 = !{!11, !11, i64 0}
!17 = !{!18, !2, i64 24}
!18 = !{!"frame", !19, i64 0, !20, i64 8, !15, i64 16, !2, i64 24}
!19 = !{!"p1 _ZTS5frame", !15, i64 0}
!20 = !{!"p1 _ZTS6record", !15, i64 0}
!21 = !{!22, !11, i64 8}
!22 = !{!"", !15, i64 0, !11, i64 8, !2, i64 16}
!23 = !{!15, !15, i64 0}
!24 = !{!2, !2, i64 0}
!25 = !{!22, !15, i64 0}
!26 = !{!27, !30, i64 440}
!27 = !{!"ucontext_t", !2, i64 0, !28, i64 8, !22, i64 16, !14, i64 40, !29, i64 176}
!28 = !{!"p1 _ZTS10ucontext_t", !15, i64 0}
!29 = !{!"", !30, i64 0, !3, i64 8, !30, i64 256, !30, i64 264, !30, i64 272, !3, i64 288}
!30 = !{!"long long", !3, i64 0}
!31 = !{!18, !20, i64 8}
!32 = !{!18, !15, i64 16}
!33 = !{!27, !30, i64 432}
!34 = !{!30, !30, i64 0}
