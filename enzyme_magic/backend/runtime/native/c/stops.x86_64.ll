%struct.timespec = type { i64, i64 }
%struct.slot = type { i64, ptr, i64, i64, i64, i64, i64, i64, i64, i64, %struct.record, ptr, i64, i64, i64 }
%struct.record = type { i32, i32, ptr, ptr, ptr, i64 }
%struct.itimerspec = type { %struct.timespec, %struct.timespec }
%struct.sigevent = type { %union.sigval, i32, i32, %union.anon }
%union.sigval = type { ptr }
%union.anon = type { %struct.anon, [32 x i8] }
%struct.anon = type { ptr, ptr }
%struct.__sigset_t = type { [16 x i64] }

@em.run.wake = global [2 x i32] [i32 -1, i32 -1], align 4
@slots = internal global ptr null, align 8
@em.run.live = global i64 0, align 8
@__const.em.run.end_threads.pause = private unnamed_addr constant %struct.timespec { i64 0, i64 500000 }, align 8
@em.run.fails.said = internal constant [80 x i8] c"enzyme_magic: C code ended beside its call, in a thread that nobody waits for.\0A\00", align 16
@em.run.arena_key = external global i32, align 4
@em.run.frame_key = external global i32, align 4

define void @em.run.make_slots() #0 {
entry:
  %call = call ptr @mmap(ptr null, i64 622592, i32 3, i32 34, i32 -1, i64 0) #9
  %cmp = icmp eq ptr %call, inttoptr (i64 -1 to ptr)
  %.call = select i1 %cmp, ptr null, ptr %call
  store ptr %.call, ptr @slots, align 8, !tbaa !0
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare ptr @mmap(ptr, i64, i32, i32, i32, i64) #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define ptr @em.run.take_slot() #0 {
entry:
  %call = call i64 @own_tid()
  %0 = load ptr, ptr @slots, align 8, !tbaa !0
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %cleanup6, label %for.cond

for.cond:                                         ; preds = %entry, %for.inc
  %k.0 = phi i64 [ %inc, %for.inc ], [ 0, %entry ]
  %retval.1 = phi ptr [ %retval.3, %for.inc ], [ undef, %entry ]
  %cmp = icmp samesign ugt i64 %k.0, 4095
  br i1 %cmp, label %cleanup6, label %for.body

for.body:                                         ; preds = %for.cond
  %1 = load ptr, ptr @slots, align 8, !tbaa !0
  %arrayidx = getelementptr inbounds nuw %struct.slot, ptr %1, i64 %k.0
  %2 = cmpxchg ptr %arrayidx, i64 0, i64 %call acq_rel acquire, align 8
  %3 = extractvalue { i64, i1 } %2, 1
  %4 = load ptr, ptr @slots, align 8
  %arrayidx2 = getelementptr inbounds nuw %struct.slot, ptr %4, i64 %k.0
  %retval.3 = select i1 %3, ptr %arrayidx2, ptr %retval.1
  br i1 %3, label %cleanup6, label %for.inc

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !5

cleanup6:                                         ; preds = %for.body, %for.cond, %entry
  %retval.0 = phi ptr [ null, %entry ], [ %retval.3, %for.body ], [ null, %for.cond ]
  ret ptr %retval.0
}

define internal i64 @own_tid() #0 {
entry:
  %call = call i64 (i64, ...) @syscall(i64 186) #9
  ret i64 %call
}

define void @em.run.forget_failure(ptr %slot) #0 {
entry:
  %failure = getelementptr inbounds nuw i8, ptr %slot, i64 72
  %0 = atomicrmw volatile xchg ptr %failure, i64 0 acq_rel, align 8
  %cmp = icmp eq i64 %0, 2
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %1 = atomicrmw volatile sub ptr @em.run.live, i64 1 acq_rel, align 8
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.run.give_slot(ptr %slot) #0 {
entry:
  %tobool.not = icmp eq ptr %slot, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  call void @drop_timer(ptr nonnull %slot)
  call void @clear(ptr nonnull %slot)
  br label %return

return:                                           ; preds = %entry, %if.end
  ret void
}

define internal void @drop_timer(ptr %slot) #0 {
entry:
  %timer1 = getelementptr inbounds nuw i8, ptr %slot, i64 48
  %0 = load volatile i64, ptr %timer1, align 8, !tbaa !7
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %entry
  store volatile i64 0, ptr %timer1, align 8, !tbaa !7
  %sub = add i64 %0, -1
  %call = call i64 (i64, ...) @syscall(i64 226, i64 %sub) #9
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %entry
  ret void
}

define internal void @clear(ptr %slot) #0 {
entry:
  %owner1 = getelementptr inbounds nuw i8, ptr %slot, i64 120
  %0 = load ptr, ptr %owner1, align 8, !tbaa !14
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %if.end6, label %if.then

if.then:                                          ; preds = %entry
  %1 = load atomic i64, ptr %0 acquire, align 8
  %owner_tid = getelementptr inbounds nuw i8, ptr %slot, i64 128
  %2 = load i64, ptr %owner_tid, align 8, !tbaa !15
  %cmp = icmp eq i64 %1, %2
  br i1 %cmp, label %if.then2, label %if.end

if.then2:                                         ; preds = %if.then
  %threads = getelementptr inbounds nuw i8, ptr %0, i64 144
  %3 = atomicrmw volatile sub ptr %threads, i64 1 acq_rel, align 8
  br label %if.end

if.end:                                           ; preds = %if.then2, %if.then
  %4 = atomicrmw volatile sub ptr @em.run.live, i64 1 acq_rel, align 8
  br label %if.end6

if.end6:                                          ; preds = %if.end, %entry
  store ptr null, ptr %owner1, align 8, !tbaa !14
  %frame = getelementptr inbounds nuw i8, ptr %slot, i64 8
  store volatile ptr null, ptr %frame, align 8, !tbaa !16
  %threads8 = getelementptr inbounds nuw i8, ptr %slot, i64 144
  store volatile i64 0, ptr %threads8, align 8, !tbaa !17
  call void @em.run.forget_failure(ptr %slot)
  %waits = getelementptr inbounds nuw i8, ptr %slot, i64 64
  store volatile i64 0, ptr %waits, align 8, !tbaa !18
  %chance = getelementptr inbounds nuw i8, ptr %slot, i64 56
  store volatile i64 0, ptr %chance, align 8, !tbaa !19
  %timer = getelementptr inbounds nuw i8, ptr %slot, i64 48
  store volatile i64 0, ptr %timer, align 8, !tbaa !7
  %expired = getelementptr inbounds nuw i8, ptr %slot, i64 40
  store volatile i64 0, ptr %expired, align 8, !tbaa !20
  %deadline = getelementptr inbounds nuw i8, ptr %slot, i64 32
  store volatile i64 0, ptr %deadline, align 8, !tbaa !21
  %request = getelementptr inbounds nuw i8, ptr %slot, i64 24
  store volatile i64 0, ptr %request, align 8, !tbaa !22
  %calls = getelementptr inbounds nuw i8, ptr %slot, i64 16
  store volatile i64 0, ptr %calls, align 8, !tbaa !23
  store atomic i64 0, ptr %slot release, align 8
  ret void
}

define ptr @em.run.slot() #0 {
entry:
  %call = call ptr @em.run.arena_current() #9
  %slot = getelementptr inbounds nuw i8, ptr %call, i64 128
  %0 = load ptr, ptr %slot, align 8, !tbaa !24
  ret ptr %0
}

declare ptr @em.run.arena_current() #3

define void @em.run.arm(ptr %slot, i1 zeroext %again) #0 {
entry:
  br i1 %again, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = call i64 @now()
  %chance = getelementptr inbounds nuw i8, ptr %slot, i64 56
  %0 = load volatile i64, ptr %chance, align 8, !tbaa !19
  %xor = xor i64 %0, %call
  %mul = mul i64 %xor, 6364136223846793005
  %add = add i64 %mul, 1442695040888963407
  store volatile i64 %add, ptr %chance, align 8, !tbaa !19
  %shr = lshr i64 %add, 33
  %rem = urem i64 %shr, 10
  %shl = shl nuw nsw i64 1000, %rem
  %add2 = add i64 %call, %shl
  %shr3 = lshr i64 %add, 20
  %and = and i64 %shr3, 1023
  %mul4 = mul nuw nsw i64 %shl, %and
  %shr5 = lshr i64 %mul4, 10
  %add6 = add i64 %add2, %shr5
  call void @send_at(ptr %slot, i64 %add6)
  br label %return

if.end:                                           ; preds = %entry
  %expired7 = getelementptr inbounds nuw i8, ptr %slot, i64 40
  %1 = load volatile i64, ptr %expired7, align 8, !tbaa !20
  %deadline8 = getelementptr inbounds nuw i8, ptr %slot, i64 32
  %2 = load volatile i64, ptr %deadline8, align 8, !tbaa !21
  %tobool.not = icmp eq i64 %1, 0
  %. = select i1 %tobool.not, i64 %2, i64 0
  %timer = getelementptr inbounds nuw i8, ptr %slot, i64 48
  %3 = load volatile i64, ptr %timer, align 8, !tbaa !7
  %or = or i64 %., %3
  %tobool9.not = icmp eq i64 %or, 0
  br i1 %tobool9.not, label %return, label %if.then10

if.then10:                                        ; preds = %if.end
  call void @send_at(ptr %slot, i64 %.)
  br label %return

return:                                           ; preds = %if.end, %if.then10, %if.then
  ret void
}

define internal i64 @now() #0 {
entry:
  %time = alloca %struct.timespec, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %time) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %time, i8 0, i64 16, i1 false)
  %call = call i32 @clock_gettime(i32 1, ptr nonnull %time) #9
  %0 = load i64, ptr %time, align 8, !tbaa !27
  %mul = mul i64 %0, 1000000000
  %tv_nsec = getelementptr inbounds nuw i8, ptr %time, i64 8
  %1 = load i64, ptr %tv_nsec, align 8, !tbaa !29
  %add = add i64 %mul, %1
  call void @llvm.lifetime.end.p0(ptr nonnull %time) #9
  ret i64 %add
}

define internal void @send_at(ptr %slot, i64 %when) #0 {
entry:
  %setting = alloca %struct.itimerspec, align 8
  %event = alloca %struct.sigevent, align 8
  %made = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %setting) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %setting, i8 0, i64 16, i1 false)
  %it_value = getelementptr inbounds nuw i8, ptr %setting, i64 16
  %div = udiv i64 %when, 1000000000
  store i64 %div, ptr %it_value, align 8, !tbaa !27
  %tv_nsec = getelementptr inbounds nuw i8, ptr %setting, i64 24
  %rem = urem i64 %when, 1000000000
  store i64 %rem, ptr %tv_nsec, align 8, !tbaa !29
  %timer1 = getelementptr inbounds nuw i8, ptr %slot, i64 48
  %0 = load volatile i64, ptr %timer1, align 8, !tbaa !7
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call zeroext i1 @set_timer(i64 %0, ptr nonnull %setting)
  br i1 %call, label %cleanup12, label %if.end

if.end:                                           ; preds = %land.lhs.true, %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %event) #9
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(64) %event, i8 0, i64 64, i1 false)
  %sigev_signo = getelementptr inbounds nuw i8, ptr %event, i64 8
  store i32 23, ptr %sigev_signo, align 8, !tbaa !30
  %sigev_notify = getelementptr inbounds nuw i8, ptr %event, i64 12
  store i32 4, ptr %sigev_notify, align 4, !tbaa !32
  %1 = load i64, ptr %slot, align 8, !tbaa !33
  %conv = trunc i64 %1 to i32
  %_sigev_un = getelementptr inbounds nuw i8, ptr %event, i64 16
  store i32 %conv, ptr %_sigev_un, align 8, !tbaa !34
  call void @llvm.lifetime.start.p0(ptr nonnull %made) #9
  store i32 -1, ptr %made, align 4, !tbaa !35
  %call2 = call i64 (i64, ...) @syscall(i64 222, i64 1, ptr nonnull %event, ptr nonnull %made) #9
  %tobool3.not = icmp eq i64 %call2, 0
  br i1 %tobool3.not, label %if.end5, label %cleanup

if.end5:                                          ; preds = %if.end
  %2 = load i32, ptr %made, align 4, !tbaa !35
  %conv6 = sext i32 %2 to i64
  %add = add nsw i64 %conv6, 1
  store volatile i64 %add, ptr %timer1, align 8, !tbaa !7
  %call10 = call zeroext i1 @set_timer(i64 %add, ptr nonnull %setting)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.end5
  call void @llvm.lifetime.end.p0(ptr nonnull %made) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %event) #9
  br label %cleanup12

cleanup12:                                        ; preds = %land.lhs.true, %cleanup
  call void @llvm.lifetime.end.p0(ptr nonnull %setting) #9
  ret void
}

define void @em.run.reborn() #0 {
entry:
  %call = call ptr @em.run.slot()
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cleanup.cont, label %for.cond

for.cond:                                         ; preds = %entry, %for.inc
  %k.0 = phi i64 [ %inc, %for.inc ], [ 0, %entry ]
  %cmp = icmp samesign ult i64 %k.0, 4096
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %0 = load ptr, ptr @slots, align 8, !tbaa !0
  %arrayidx = getelementptr inbounds nuw %struct.slot, ptr %0, i64 %k.0
  %cmp1.not = icmp eq ptr %arrayidx, %call
  br i1 %cmp1.not, label %for.inc, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %1 = load atomic i64, ptr %arrayidx monotonic, align 8
  %tobool2.not = icmp eq i64 %1, 0
  br i1 %tobool2.not, label %for.inc, label %if.then3

if.then3:                                         ; preds = %land.lhs.true
  call void @clear(ptr nonnull %arrayidx)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %land.lhs.true, %if.then3
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !36

for.end:                                          ; preds = %for.cond
  %call6 = call i64 @own_tid()
  store atomic i64 %call6, ptr %call monotonic, align 8
  %timer = getelementptr inbounds nuw i8, ptr %call, i64 48
  store volatile i64 0, ptr %timer, align 8, !tbaa !7
  call void @em.run.arm(ptr nonnull %call, i1 zeroext false)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %for.end, %entry
  ret void
}

define void @em.run.end_threads(ptr %slot) #0 {
entry:
  %pause = alloca %struct.timespec, align 8
  %call = call i64 @now()
  %add = add i64 %call, 1000000000
  br label %while.cond

while.cond:                                       ; preds = %while.body, %entry
  %call1 = call i32 @getpid() #9
  %call2 = call i64 @tell_threads(ptr %slot, i32 %call1)
  %tobool.not = icmp eq i64 %call2, 0
  br i1 %tobool.not, label %while.end, label %land.rhs

land.rhs:                                         ; preds = %while.cond
  %call3 = call i64 @now()
  %cmp = icmp ult i64 %call3, %add
  br i1 %cmp, label %while.body, label %while.end

while.body:                                       ; preds = %land.rhs
  call void @llvm.lifetime.start.p0(ptr nonnull %pause) #9
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %pause, ptr noundef nonnull align 8 dereferenceable(16) @__const.em.run.end_threads.pause, i64 16, i1 false)
  %call4 = call i32 @nanosleep(ptr nonnull %pause, ptr null) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %pause) #9
  br label %while.cond, !llvm.loop !37

while.end:                                        ; preds = %while.cond, %land.rhs
  ret void
}

define internal i64 @tell_threads(ptr %mine, i32 %process) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc7, %for.inc ]
  %count.0 = phi i64 [ 0, %entry ], [ %count.1, %for.inc ]
  %cmp = icmp samesign ult i64 %k.0, 4096
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %0 = load ptr, ptr @slots, align 8, !tbaa !0
  %arrayidx = getelementptr inbounds nuw %struct.slot, ptr %0, i64 %k.0
  %1 = load atomic i64, ptr %arrayidx acquire, align 8
  %tobool.not = icmp eq i64 %1, 0
  br i1 %tobool.not, label %for.inc, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %call = call zeroext i1 @is_of_call(ptr nonnull %arrayidx, ptr %mine)
  br i1 %call, label %if.end, label %for.inc

if.end:                                           ; preds = %lor.lhs.false
  %inc = add i64 %count.0, 1
  %call2 = call zeroext i1 @tell(ptr nonnull %arrayidx)
  br i1 %call2, label %if.then3, label %for.inc

if.then3:                                         ; preds = %if.end
  %conv = sext i32 %process to i64
  %call4 = call i64 (i64, ...) @syscall(i64 234, i64 %conv, i64 %1, i64 23) #9
  br label %for.inc

for.inc:                                          ; preds = %lor.lhs.false, %for.body, %if.then3, %if.end
  %count.1 = phi i64 [ %count.0, %for.body ], [ %count.0, %lor.lhs.false ], [ %inc, %if.then3 ], [ %inc, %if.end ]
  %inc7 = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !38

for.end:                                          ; preds = %for.cond
  ret i64 %count.0
}

declare i32 @getpid() #2

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

declare i32 @nanosleep(ptr, ptr) #3

define void @em.run.fails(ptr %slot, i64 %tid, ptr %record) #0 {
entry:
  %tobool.not = icmp eq ptr %slot, null
  br i1 %tobool.not, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %0 = load atomic i64, ptr %slot acquire, align 8
  %cmp.not = icmp eq i64 %0, %tid
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %lor.lhs.false, %entry
  %call = call i64 @write(i32 2, ptr nonnull @em.run.fails.said, i64 79) #9
  br label %cleanup.cont

if.end:                                           ; preds = %lor.lhs.false
  %failure = getelementptr inbounds nuw i8, ptr %slot, i64 72
  %1 = cmpxchg volatile ptr %failure, i64 0, i64 1 acq_rel acquire, align 8
  %2 = extractvalue { i64, i1 } %1, 1
  br i1 %2, label %if.end3, label %cleanup.cont

if.end3:                                          ; preds = %if.end
  %3 = atomicrmw volatile add ptr @em.run.live, i64 1 acq_rel, align 8
  %failed = getelementptr inbounds nuw i8, ptr %slot, i64 80
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %failed, ptr noundef nonnull align 8 dereferenceable(40) %record, i64 40, i1 false), !tbaa.struct !39
  store atomic volatile i64 2, ptr %failure release, align 8
  %call8 = call i32 @getpid() #9
  %conv = sext i32 %call8 to i64
  %call9 = call i64 (i64, ...) @syscall(i64 234, i64 %conv, i64 %tid, i64 23) #9
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.then, %if.end3, %if.end
  ret void
}

declare i64 @write(i32, ptr, i64) #3

declare i64 @syscall(i64, ...) #2

define void @em.run.leave_due(ptr %slot, i32 %kind) #5 {
entry:
  %cmp = icmp eq i32 %kind, 256
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %failed = getelementptr inbounds nuw i8, ptr %slot, i64 80
  %told.sroa.0.0.copyload = load i32, ptr %failed, align 8, !tbaa !35
  %told.sroa.5.0.failed.sroa_idx = getelementptr inbounds nuw i8, ptr %slot, i64 84
  %told.sroa.5.0.copyload = load i32, ptr %told.sroa.5.0.failed.sroa_idx, align 4, !tbaa !35
  %told.sroa.6.0.failed.sroa_idx = getelementptr inbounds nuw i8, ptr %slot, i64 88
  %told.sroa.6.0.copyload = load ptr, ptr %told.sroa.6.0.failed.sroa_idx, align 8, !tbaa !40
  %told.sroa.7.0.failed.sroa_idx = getelementptr inbounds nuw i8, ptr %slot, i64 96
  %told.sroa.7.0.copyload = load ptr, ptr %told.sroa.7.0.failed.sroa_idx, align 8, !tbaa !40
  %told.sroa.8.0.failed.sroa_idx = getelementptr inbounds nuw i8, ptr %slot, i64 104
  %told.sroa.8.0.copyload = load ptr, ptr %told.sroa.8.0.failed.sroa_idx, align 8, !tbaa !41
  %told.sroa.9.0.failed.sroa_idx = getelementptr inbounds nuw i8, ptr %slot, i64 112
  %told.sroa.9.0.copyload = load i64, ptr %told.sroa.9.0.failed.sroa_idx, align 8, !tbaa !42
  call void @em.run.forget_failure(ptr %slot)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %told.sroa.0.0 = phi i32 [ %told.sroa.0.0.copyload, %if.then ], [ %kind, %entry ]
  %told.sroa.5.0 = phi i32 [ %told.sroa.5.0.copyload, %if.then ], [ 0, %entry ]
  %told.sroa.6.0 = phi ptr [ %told.sroa.6.0.copyload, %if.then ], [ null, %entry ]
  %told.sroa.7.0 = phi ptr [ %told.sroa.7.0.copyload, %if.then ], [ null, %entry ]
  %told.sroa.8.0 = phi ptr [ %told.sroa.8.0.copyload, %if.then ], [ null, %entry ]
  %told.sroa.9.0 = phi i64 [ %told.sroa.9.0.copyload, %if.then ], [ 0, %entry ]
  call void @em.run.leave(i32 %told.sroa.0.0, i32 %told.sroa.5.0, ptr %told.sroa.6.0, ptr %told.sroa.7.0, ptr %told.sroa.8.0, i64 %told.sroa.9.0) #10
  unreachable
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #6

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #7

define void @em.run.stop(i32 %number, i1 zeroext %ours) #0 {
entry:
  %set.i = alloca %struct.__sigset_t, align 8
  %call = call ptr @__errno_location() #11
  %0 = load i32, ptr %call, align 4, !tbaa !35
  %1 = load i32, ptr @em.run.arena_key, align 4, !tbaa !35
  %call1 = call ptr @pthread_getspecific(i32 %1) #9
  %tobool.not = icmp eq ptr %call1, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %slot2 = getelementptr inbounds nuw i8, ptr %call1, i64 128
  %2 = load ptr, ptr %slot2, align 8, !tbaa !24
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi ptr [ %2, %cond.true ], [ null, %entry ]
  %tobool3.not = icmp eq ptr %cond, null
  br i1 %tobool3.not, label %if.end25, label %if.then

if.then:                                          ; preds = %cond.end
  %cmp = icmp eq i32 %number, 2
  %call4 = call i32 @stop_due(ptr nonnull %cond, i1 zeroext %cmp)
  %3 = load i32, ptr @em.run.frame_key, align 4, !tbaa !35
  %call.i = call ptr @pthread_getspecific(i32 %3) #9
  switch i32 %call4, label %land.lhs.true8 [
    i32 0, label %if.then14
    i32 256, label %if.else
  ]

land.lhs.true8:                                   ; preds = %if.then
  %threads = getelementptr inbounds nuw i8, ptr %cond, i64 144
  %4 = load volatile i64, ptr %threads, align 8, !tbaa !17
  %tobool9.not = icmp eq i64 %4, 0
  br i1 %tobool9.not, label %if.end, label %if.then10

if.then10:                                        ; preds = %land.lhs.true8
  %call11 = call i32 @getpid() #9
  %call12 = call i64 @tell_threads(ptr nonnull %cond, i32 %call11)
  br label %if.end

if.end:                                           ; preds = %if.then10, %land.lhs.true8
  %tobool13.not = icmp eq i32 %call4, 0
  br i1 %tobool13.not, label %if.then14, label %if.else

if.then14:                                        ; preds = %if.then, %if.end
  call void @em.run.arm(ptr nonnull %cond, i1 zeroext false)
  br label %if.end25

if.else:                                          ; preds = %if.then, %if.end
  %tobool15 = icmp ne ptr %call.i, null
  %or.cond = select i1 %tobool15, i1 %ours, i1 false
  br i1 %or.cond, label %if.else17, label %if.then16

if.then16:                                        ; preds = %if.else
  call void @em.run.arm(ptr nonnull %cond, i1 zeroext true)
  br label %if.end25

if.else17:                                        ; preds = %if.else
  %marks = getelementptr inbounds nuw i8, ptr %call.i, i64 24
  %5 = load volatile i64, ptr %marks, align 8, !tbaa !43
  %and = and i64 %5, -5
  %tobool18.not = icmp eq i64 %and, 0
  br i1 %tobool18.not, label %if.then19, label %if.end25

if.then19:                                        ; preds = %if.else17
  %6 = load volatile ptr, ptr %call.i, align 8, !tbaa !46
  %cmp20 = icmp ne ptr %6, null
  call void @em.run.arm(ptr nonnull %cond, i1 zeroext %cmp20)
  call void @llvm.lifetime.start.p0(ptr nonnull %set.i) #9
  %call.i1 = call i32 @sigemptyset(ptr nonnull %set.i) #9
  %call1.i = call i32 @sigaddset(ptr nonnull %set.i, i32 %number) #9
  %call2.i = call i32 @pthread_sigmask(i32 1, ptr nonnull %set.i, ptr null) #9
  call void @llvm.lifetime.end.p0(ptr nonnull %set.i) #9
  store i32 %0, ptr %call, align 4, !tbaa !35
  call void @em.run.leave_due(ptr nonnull %cond, i32 %call4) #12
  unreachable

if.end25:                                         ; preds = %if.then14, %if.else17, %if.then16, %cond.end
  store i32 %0, ptr %call, align 4, !tbaa !35
  ret void
}

declare ptr @__errno_location() #8

declare ptr @pthread_getspecific(i32) #2

define internal i32 @stop_due(ptr %slot, i1 zeroext %told) #0 {
entry:
  %call = call i32 @getpid() #9
  %0 = load atomic i64, ptr %slot monotonic, align 8
  %conv = sext i32 %call to i64
  %cmp = icmp eq i64 %0, %conv
  br i1 %cmp, label %land.lhs.true, label %if.end7

land.lhs.true:                                    ; preds = %entry
  %call2 = call zeroext i1 @woken()
  %or13 = or i1 %call2, %told
  br i1 %or13, label %if.then, label %if.end7

if.then:                                          ; preds = %land.lhs.true
  %call5 = call zeroext i1 @tell(ptr nonnull %slot)
  br i1 %call5, label %if.end7, label %if.then6

if.then6:                                         ; preds = %if.then
  call void @interrupt_others(ptr nonnull %slot, i32 %call)
  br label %if.end7

if.end7:                                          ; preds = %if.then, %if.then6, %land.lhs.true, %entry
  %deadline8 = getelementptr inbounds nuw i8, ptr %slot, i64 32
  %1 = load volatile i64, ptr %deadline8, align 8, !tbaa !21
  %tobool9.not = icmp eq i64 %1, 0
  br i1 %tobool9.not, label %if.end15, label %land.lhs.true10

land.lhs.true10:                                  ; preds = %if.end7
  %call11 = call i64 @now()
  %cmp12.not = icmp ult i64 %call11, %1
  br i1 %cmp12.not, label %if.end15, label %if.then14

if.then14:                                        ; preds = %land.lhs.true10
  %expired = getelementptr inbounds nuw i8, ptr %slot, i64 40
  store volatile i64 1, ptr %expired, align 8, !tbaa !20
  br label %if.end15

if.end15:                                         ; preds = %if.then14, %land.lhs.true10, %if.end7
  %frame = getelementptr inbounds nuw i8, ptr %slot, i64 8
  %2 = load volatile ptr, ptr %frame, align 8, !tbaa !16
  %tobool16.not = icmp eq ptr %2, null
  br i1 %tobool16.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %if.end15
  %calls1.i = getelementptr inbounds nuw i8, ptr %slot, i64 16
  %3 = load volatile i64, ptr %calls1.i, align 8, !tbaa !23
  %request2.i = getelementptr inbounds nuw i8, ptr %slot, i64 24
  %4 = load volatile i64, ptr %request2.i, align 8, !tbaa !22
  %expired3.i = getelementptr inbounds nuw i8, ptr %slot, i64 40
  %5 = load volatile i64, ptr %expired3.i, align 8, !tbaa !20
  %tobool.i = icmp ne i64 %4, 0
  %cmp.i = icmp eq i64 %4, %3
  %or.cond = select i1 %tobool.i, i1 %cmp.i, i1 false
  br i1 %or.cond, label %cond.end, label %cond.false.i

cond.false.i:                                     ; preds = %cond.true
  %tobool4.i.not = icmp eq i64 %5, 0
  br i1 %tobool4.i.not, label %cond.false6.i, label %cond.end

cond.false6.i:                                    ; preds = %cond.false.i
  %failure.i = getelementptr inbounds nuw i8, ptr %slot, i64 72
  %6 = load volatile i64, ptr %failure.i, align 8, !tbaa !47
  %cmp7.i = icmp eq i64 %6, 2
  %cond.i = select i1 %cmp7.i, i32 256, i32 0
  br label %cond.end

cond.end:                                         ; preds = %if.end15, %cond.true, %cond.false.i, %cond.false6.i
  %cond = phi i32 [ 11, %cond.false.i ], [ 10, %cond.true ], [ %cond.i, %cond.false6.i ], [ 0, %if.end15 ]
  ret i32 %cond
}

declare i32 @clock_gettime(i32, ptr) #2

define internal zeroext i1 @set_timer(i64 %timer, ptr %setting) #0 {
entry:
  %sub = add i64 %timer, -1
  %call = call i64 (i64, ...) @syscall(i64 223, i64 %sub, i64 1, ptr %setting, ptr null) #9
  %tobool.not = icmp eq i64 %call, 0
  ret i1 %tobool.not
}

define internal zeroext i1 @is_of_call(ptr %slot, ptr %mine) #0 {
entry:
  %owner = getelementptr inbounds nuw i8, ptr %slot, i64 120
  %0 = load ptr, ptr %owner, align 8, !tbaa !14
  %cmp = icmp eq ptr %0, %mine
  br i1 %cmp, label %land.lhs.true, label %land.end

land.lhs.true:                                    ; preds = %entry
  %owner_tid = getelementptr inbounds nuw i8, ptr %slot, i64 128
  %1 = load i64, ptr %owner_tid, align 8, !tbaa !15
  %2 = load i64, ptr %mine, align 8, !tbaa !33
  %cmp1 = icmp eq i64 %1, %2
  br i1 %cmp1, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %land.lhs.true
  %owner_call = getelementptr inbounds nuw i8, ptr %slot, i64 136
  %3 = load i64, ptr %owner_call, align 8, !tbaa !48
  %calls = getelementptr inbounds nuw i8, ptr %mine, i64 16
  %4 = load volatile i64, ptr %calls, align 8, !tbaa !23
  %cmp2 = icmp eq i64 %3, %4
  br label %land.end

land.end:                                         ; preds = %land.rhs, %land.lhs.true, %entry
  %5 = phi i1 [ false, %land.lhs.true ], [ false, %entry ], [ %cmp2, %land.rhs ]
  ret i1 %5
}

define internal zeroext i1 @tell(ptr %slot) #0 {
entry:
  %waits1 = getelementptr inbounds nuw i8, ptr %slot, i64 64
  %0 = load volatile i64, ptr %waits1, align 8, !tbaa !18
  %tobool = icmp ne i64 %0, 0
  %frame = getelementptr inbounds nuw i8, ptr %slot, i64 8
  %1 = load volatile ptr, ptr %frame, align 8, !tbaa !16
  %cmp = icmp ne ptr %1, null
  br i1 %tobool, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  store volatile i64 2, ptr %waits1, align 8, !tbaa !18
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  br i1 %cmp, label %if.then5, label %if.end6

if.then5:                                         ; preds = %if.end
  %calls = getelementptr inbounds nuw i8, ptr %slot, i64 16
  %2 = load volatile i64, ptr %calls, align 8, !tbaa !23
  %request = getelementptr inbounds nuw i8, ptr %slot, i64 24
  store volatile i64 %2, ptr %request, align 8, !tbaa !22
  br label %if.end6

if.end6:                                          ; preds = %if.then5, %if.end
  %or7 = or i1 %tobool, %cmp
  ret i1 %or7
}

define internal zeroext i1 @woken() #0 {
entry:
  %bytes = alloca [64 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %bytes) #9
  %0 = load volatile i32, ptr @em.run.wake, align 4, !tbaa !35
  %1 = load volatile i32, ptr getelementptr inbounds nuw (i8, ptr @em.run.wake, i64 4), align 4, !tbaa !35
  %cmp = icmp slt i32 %0, 0
  br i1 %cmp, label %cleanup, label %for.cond

for.cond:                                         ; preds = %entry, %if.end14
  %seen.0 = phi i8 [ %seen.1, %if.end14 ], [ 0, %entry ]
  %call = call i64 @read(i32 %0, ptr nonnull %bytes, i64 64) #9
  %cmp1 = icmp sgt i64 %call, 0
  br i1 %cmp1, label %for.cond2, label %for.end15

for.cond2:                                        ; preds = %for.cond, %for.body5
  %seen.1 = phi i8 [ %or7, %for.body5 ], [ %seen.0, %for.cond ]
  %k.0 = phi i64 [ %inc, %for.body5 ], [ 0, %for.cond ]
  %cmp3 = icmp slt i64 %k.0, %call
  br i1 %cmp3, label %for.body5, label %for.end

for.body5:                                        ; preds = %for.cond2
  %arrayidx = getelementptr inbounds nuw i8, ptr %bytes, i64 %k.0
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !34
  %cmp6 = icmp eq i8 %2, 2
  %3 = zext i1 %cmp6 to i8
  %or7 = or i8 %seen.1, %3
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond2, !llvm.loop !49

for.end:                                          ; preds = %for.cond2
  %cmp9 = icmp sgt i32 %1, -1
  br i1 %cmp9, label %if.then11, label %if.end14

if.then11:                                        ; preds = %for.end
  %call13 = call i64 @write(i32 %1, ptr nonnull %bytes, i64 %call) #9
  br label %if.end14

if.end14:                                         ; preds = %if.then11, %for.end
  br label %for.cond, !llvm.loop !50

for.end15:                                        ; preds = %for.cond
  %loadedv16 = trunc nuw i8 %seen.0 to i1
  br label %cleanup

cleanup:                                          ; preds = %entry, %for.end15
  %retval.0 = phi i1 [ %loadedv16, %for.end15 ], [ false, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %bytes) #9
  ret i1 %retval.0
}

define internal void @interrupt_others(ptr %mine, i32 %process) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp samesign ult i64 %k.0, 4096
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %0 = load ptr, ptr @slots, align 8, !tbaa !0
  %arrayidx = getelementptr inbounds nuw %struct.slot, ptr %0, i64 %k.0
  %1 = load atomic i64, ptr %arrayidx acquire, align 8
  %cmp2 = icmp ne ptr %arrayidx, %mine
  %tobool = icmp ne i64 %1, 0
  %or.cond = select i1 %cmp2, i1 %tobool, i1 false
  br i1 %or.cond, label %lor.lhs.false3, label %for.inc

lor.lhs.false3:                                   ; preds = %for.body
  %owner = getelementptr inbounds nuw i8, ptr %arrayidx, i64 120
  %2 = load ptr, ptr %owner, align 8, !tbaa !14
  %tobool4.not = icmp eq ptr %2, null
  br i1 %tobool4.not, label %lor.lhs.false5, label %for.inc

lor.lhs.false5:                                   ; preds = %lor.lhs.false3
  %call = call zeroext i1 @tell(ptr nonnull %arrayidx)
  br i1 %call, label %if.end, label %for.inc

if.end:                                           ; preds = %lor.lhs.false5
  %conv = sext i32 %process to i64
  %call6 = call i64 (i64, ...) @syscall(i64 234, i64 %conv, i64 %1, i64 23) #9
  br label %for.inc

for.inc:                                          ; preds = %if.end, %lor.lhs.false5, %lor.lhs.false3, %for.body
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !51

for.end:                                          ; preds = %for.cond
  ret void
}

declare i64 @read(i32, ptr, i64) #3

declare i32 @sigemptyset(ptr) #2

declare i32 @sigaddset(ptr, i32) #2

declare i32 @pthread_sigmask(i32, ptr, ptr) #2

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" }
attributes #3 = { "no-trapping-math"="true" }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { cold noreturn nounwind optsize uwtable(sync) "no-trapping-math"="true" }
attributes #6 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #7 = { cold noreturn "no-trapping-math"="true" }
attributes #8 = { nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #9 = { nounwind }
attributes #10 = { cold noreturn nounwind }
attributes #11 = { nounwind willreturn memory(none) }
attributes #12 = { cold noreturn }

!0 = !{!1, !1, i64 0}
!1 = !{!"p1 _ZTS4slot", !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!8, !9, i64 48}
!8 = !{!"slot", !9, i64 0, !10, i64 8, !9, i64 16, !9, i64 24, !9, i64 32, !9, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !11, i64 80, !1, i64 120, !9, i64 128, !9, i64 136, !9, i64 144}
!9 = !{!"long", !3, i64 0}
!10 = !{!"p1 _ZTS5frame", !2, i64 0}
!11 = !{!"record", !12, i64 0, !12, i64 4, !13, i64 8, !13, i64 16, !2, i64 24, !9, i64 32}
!12 = !{!"int", !3, i64 0}
!13 = !{!"p1 omnipotent char", !2, i64 0}
!14 = !{!8, !1, i64 120}
!15 = !{!8, !9, i64 128}
!16 = !{!8, !10, i64 8}
!17 = !{!8, !9, i64 144}
!18 = !{!8, !9, i64 64}
!19 = !{!8, !9, i64 56}
!20 = !{!8, !9, i64 40}
!21 = !{!8, !9, i64 32}
!22 = !{!8, !9, i64 24}
!23 = !{!8, !9, i64 16}
!24 = !{!25, !2, i64 128}
!25 = !{!"arena", !13, i64 0, !13, i64 8, !13, i64 16, !26, i64 24, !26, i64 32, !9, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !9, i64 80, !9, i64 88, !9, i64 96, !2, i64 104, !9, i64 112, !2, i64 120, !2, i64 128, !2, i64 136, !3, i64 144}
!26 = !{!"p1 _ZTS5chunk", !2, i64 0}
!27 = !{!28, !9, i64 0}
!28 = !{!"timespec", !9, i64 0, !9, i64 8}
!29 = !{!28, !9, i64 8}
!30 = !{!31, !12, i64 8}
!31 = !{!"sigevent", !3, i64 0, !12, i64 8, !12, i64 12, !3, i64 16}
!32 = !{!31, !12, i64 12}
!33 = !{!8, !9, i64 0}
!34 = !{!3, !3, i64 0}
!35 = !{!12, !12, i64 0}
!36 = distinct !{!36, !6}
!37 = distinct !{!37, !6}
!38 = distinct !{!38, !6}
!39 = !{i64 0, i64 4, !35, i64 4, i64 4, !35, i64 8, i64 8, !40, i64 16, i64 8, !40, i64 24, i64 8, !41, i64 32, i64 8, !42}
!40 = !{!13, !13, i64 0}
!41 = !{!2, !2, i64 0}
!42 = !{!9, !9, i64 0}
!43 = !{!44, !9, i64 24}
!44 = !{!"frame", !10, i64 0, !45, i64 8, !2, i64 16, !9, i64 24}
!45 = !{!"p1 _ZTS6record", !2, i64 0}
!46 = !{!44, !10, i64 0}
!47 = !{!8, !9, i64 72}
!48 = !{!8, !9, i64 136}
!49 = distinct !{!49, !6}
!50 = distinct !{!50, !6}
!51 = distinct !{!51, !6}
