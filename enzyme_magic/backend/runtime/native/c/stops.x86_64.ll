%struct.slot = type { i64, ptr, i64, i64, i64, i64, i64, i64, i64 }
%struct.timespec = type { i64, i64 }
%struct.itimerspec = type { %struct.timespec, %struct.timespec }
%struct.sigevent = type { %union.sigval, i32, i32, %union.anon }
%union.sigval = type { ptr }
%union.anon = type { %struct.anon, [32 x i8] }
%struct.anon = type { ptr, ptr }
%struct.__sigset_t = type { [16 x i64] }

@em.run.wake = global [2 x i32] [i32 -1, i32 -1], align 4
@slots = internal global ptr null, align 8
@em.run.arena_key = external global i32, align 4
@em.run.frame_key = external global i32, align 4

define void @em.run.make_slots() #0 {
entry:
  %call = call ptr @mmap(ptr null, i64 294912, i32 3, i32 34, i32 -1, i64 0) #7
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
  %call = call i64 (i64, ...) @syscall(i64 186) #7
  ret i64 %call
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
  %call = call i64 (i64, ...) @syscall(i64 226, i64 %sub) #7
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %entry
  ret void
}

define internal void @clear(ptr %slot) #0 {
entry:
  %frame = getelementptr inbounds nuw i8, ptr %slot, i64 8
  store volatile ptr null, ptr %frame, align 8, !tbaa !11
  %waits = getelementptr inbounds nuw i8, ptr %slot, i64 64
  store volatile i64 0, ptr %waits, align 8, !tbaa !12
  %chance = getelementptr inbounds nuw i8, ptr %slot, i64 56
  store volatile i64 0, ptr %chance, align 8, !tbaa !13
  %timer = getelementptr inbounds nuw i8, ptr %slot, i64 48
  store volatile i64 0, ptr %timer, align 8, !tbaa !7
  %expired = getelementptr inbounds nuw i8, ptr %slot, i64 40
  store volatile i64 0, ptr %expired, align 8, !tbaa !14
  %deadline = getelementptr inbounds nuw i8, ptr %slot, i64 32
  store volatile i64 0, ptr %deadline, align 8, !tbaa !15
  %request = getelementptr inbounds nuw i8, ptr %slot, i64 24
  store volatile i64 0, ptr %request, align 8, !tbaa !16
  %calls = getelementptr inbounds nuw i8, ptr %slot, i64 16
  store volatile i64 0, ptr %calls, align 8, !tbaa !17
  store atomic i64 0, ptr %slot release, align 8
  ret void
}

define ptr @em.run.slot() #0 {
entry:
  %call = call ptr @em.run.arena_current() #7
  %slot = getelementptr inbounds nuw i8, ptr %call, i64 128
  %0 = load ptr, ptr %slot, align 8, !tbaa !18
  ret ptr %0
}

declare ptr @em.run.arena_current() #3

define void @em.run.arm(ptr %slot, i1 zeroext %again) #0 {
entry:
  br i1 %again, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call = call i64 @now()
  %chance = getelementptr inbounds nuw i8, ptr %slot, i64 56
  %0 = load volatile i64, ptr %chance, align 8, !tbaa !13
  %xor = xor i64 %0, %call
  %mul = mul i64 %xor, 6364136223846793005
  %add = add i64 %mul, 1442695040888963407
  store volatile i64 %add, ptr %chance, align 8, !tbaa !13
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
  %1 = load volatile i64, ptr %expired7, align 8, !tbaa !14
  %deadline8 = getelementptr inbounds nuw i8, ptr %slot, i64 32
  %2 = load volatile i64, ptr %deadline8, align 8, !tbaa !15
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
  call void @llvm.lifetime.start.p0(ptr nonnull %time) #7
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %time, i8 0, i64 16, i1 false)
  %call = call i32 @clock_gettime(i32 1, ptr nonnull %time) #7
  %0 = load i64, ptr %time, align 8, !tbaa !22
  %mul = mul i64 %0, 1000000000
  %tv_nsec = getelementptr inbounds nuw i8, ptr %time, i64 8
  %1 = load i64, ptr %tv_nsec, align 8, !tbaa !24
  %add = add i64 %mul, %1
  call void @llvm.lifetime.end.p0(ptr nonnull %time) #7
  ret i64 %add
}

define internal void @send_at(ptr %slot, i64 %when) #0 {
entry:
  %setting = alloca %struct.itimerspec, align 8
  %event = alloca %struct.sigevent, align 8
  %made = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr nonnull %setting) #7
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %setting, i8 0, i64 16, i1 false)
  %it_value = getelementptr inbounds nuw i8, ptr %setting, i64 16
  %div = udiv i64 %when, 1000000000
  store i64 %div, ptr %it_value, align 8, !tbaa !22
  %tv_nsec = getelementptr inbounds nuw i8, ptr %setting, i64 24
  %rem = urem i64 %when, 1000000000
  store i64 %rem, ptr %tv_nsec, align 8, !tbaa !24
  %timer1 = getelementptr inbounds nuw i8, ptr %slot, i64 48
  %0 = load volatile i64, ptr %timer1, align 8, !tbaa !7
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %call = call zeroext i1 @set_timer(i64 %0, ptr nonnull %setting)
  br i1 %call, label %cleanup12, label %if.end

if.end:                                           ; preds = %land.lhs.true, %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %event) #7
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(64) %event, i8 0, i64 64, i1 false)
  %sigev_signo = getelementptr inbounds nuw i8, ptr %event, i64 8
  store i32 23, ptr %sigev_signo, align 8, !tbaa !25
  %sigev_notify = getelementptr inbounds nuw i8, ptr %event, i64 12
  store i32 4, ptr %sigev_notify, align 4, !tbaa !28
  %1 = load i64, ptr %slot, align 8, !tbaa !29
  %conv = trunc i64 %1 to i32
  %_sigev_un = getelementptr inbounds nuw i8, ptr %event, i64 16
  store i32 %conv, ptr %_sigev_un, align 8, !tbaa !30
  call void @llvm.lifetime.start.p0(ptr nonnull %made) #7
  store i32 -1, ptr %made, align 4, !tbaa !31
  %call2 = call i64 (i64, ...) @syscall(i64 222, i64 1, ptr nonnull %event, ptr nonnull %made) #7
  %tobool3.not = icmp eq i64 %call2, 0
  br i1 %tobool3.not, label %if.end5, label %cleanup

if.end5:                                          ; preds = %if.end
  %2 = load i32, ptr %made, align 4, !tbaa !31
  %conv6 = sext i32 %2 to i64
  %add = add nsw i64 %conv6, 1
  store volatile i64 %add, ptr %timer1, align 8, !tbaa !7
  %call10 = call zeroext i1 @set_timer(i64 %add, ptr nonnull %setting)
  br label %cleanup

cleanup:                                          ; preds = %if.end, %if.end5
  call void @llvm.lifetime.end.p0(ptr nonnull %made) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %event) #7
  br label %cleanup12

cleanup12:                                        ; preds = %land.lhs.true, %cleanup
  call void @llvm.lifetime.end.p0(ptr nonnull %setting) #7
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
  br label %for.cond, !llvm.loop !32

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

define void @em.run.stop(i32 %number, i1 zeroext %ours) #0 {
entry:
  %set.i = alloca %struct.__sigset_t, align 8
  %call = call ptr @__errno_location() #8
  %0 = load i32, ptr %call, align 4, !tbaa !31
  %1 = load i32, ptr @em.run.arena_key, align 4, !tbaa !31
  %call1 = call ptr @pthread_getspecific(i32 %1) #7
  %tobool.not = icmp eq ptr %call1, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %slot2 = getelementptr inbounds nuw i8, ptr %call1, i64 128
  %2 = load ptr, ptr %slot2, align 8, !tbaa !18
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi ptr [ %2, %cond.true ], [ null, %entry ]
  %tobool3.not = icmp eq ptr %cond, null
  br i1 %tobool3.not, label %if.end17, label %if.then

if.then:                                          ; preds = %cond.end
  %cmp = icmp eq i32 %number, 2
  %call4 = call i32 @stop_due(ptr nonnull %cond, i1 zeroext %cmp)
  %3 = load i32, ptr @em.run.frame_key, align 4, !tbaa !31
  %call.i = call ptr @pthread_getspecific(i32 %3) #7
  %tobool6.not = icmp eq i32 %call4, 0
  br i1 %tobool6.not, label %if.then7, label %if.else

if.then7:                                         ; preds = %if.then
  call void @em.run.arm(ptr nonnull %cond, i1 zeroext false)
  br label %if.end17

if.else:                                          ; preds = %if.then
  %tobool8 = icmp ne ptr %call.i, null
  %or.cond = select i1 %tobool8, i1 %ours, i1 false
  br i1 %or.cond, label %if.else10, label %if.then9

if.then9:                                         ; preds = %if.else
  call void @em.run.arm(ptr nonnull %cond, i1 zeroext true)
  br label %if.end17

if.else10:                                        ; preds = %if.else
  %marks = getelementptr inbounds nuw i8, ptr %call.i, i64 24
  %4 = load volatile i64, ptr %marks, align 8, !tbaa !33
  %tobool11.not = icmp eq i64 %4, 0
  br i1 %tobool11.not, label %if.then12, label %if.end17

if.then12:                                        ; preds = %if.else10
  %5 = load volatile ptr, ptr %call.i, align 8, !tbaa !36
  %cmp13 = icmp ne ptr %5, null
  call void @em.run.arm(ptr nonnull %cond, i1 zeroext %cmp13)
  call void @llvm.lifetime.start.p0(ptr nonnull %set.i) #7
  %call.i1 = call i32 @sigemptyset(ptr nonnull %set.i) #7
  %call1.i = call i32 @sigaddset(ptr nonnull %set.i, i32 %number) #7
  %call2.i = call i32 @pthread_sigmask(i32 1, ptr nonnull %set.i, ptr null) #7
  call void @llvm.lifetime.end.p0(ptr nonnull %set.i) #7
  store i32 %0, ptr %call, align 4, !tbaa !31
  call void @em.run.leave(i32 %call4, i32 0, ptr null, ptr null, ptr null, i64 0) #9
  unreachable

if.end17:                                         ; preds = %if.then7, %if.else10, %if.then9, %cond.end
  store i32 %0, ptr %call, align 4, !tbaa !31
  ret void
}

declare ptr @__errno_location() #4

declare ptr @pthread_getspecific(i32) #2

define internal i32 @stop_due(ptr %slot, i1 zeroext %told) #0 {
entry:
  %call = call i32 @getpid() #7
  %0 = load atomic i64, ptr %slot monotonic, align 8
  %conv = sext i32 %call to i64
  %cmp = icmp eq i64 %0, %conv
  br i1 %cmp, label %land.lhs.true, label %if.end7

land.lhs.true:                                    ; preds = %entry
  %call2 = call zeroext i1 @woken()
  %or12 = or i1 %call2, %told
  br i1 %or12, label %if.then, label %if.end7

if.then:                                          ; preds = %land.lhs.true
  %call5 = call zeroext i1 @tell(ptr nonnull %slot)
  br i1 %call5, label %if.end7, label %if.then6

if.then6:                                         ; preds = %if.then
  call void @interrupt_others(ptr nonnull %slot, i32 %call)
  br label %if.end7

if.end7:                                          ; preds = %if.then, %if.then6, %land.lhs.true, %entry
  %deadline8 = getelementptr inbounds nuw i8, ptr %slot, i64 32
  %1 = load volatile i64, ptr %deadline8, align 8, !tbaa !15
  %tobool9.not = icmp eq i64 %1, 0
  br i1 %tobool9.not, label %if.end15, label %land.lhs.true10

land.lhs.true10:                                  ; preds = %if.end7
  %call11 = call i64 @now()
  %cmp12.not = icmp ult i64 %call11, %1
  br i1 %cmp12.not, label %if.end15, label %if.then14

if.then14:                                        ; preds = %land.lhs.true10
  %expired = getelementptr inbounds nuw i8, ptr %slot, i64 40
  store volatile i64 1, ptr %expired, align 8, !tbaa !14
  br label %if.end15

if.end15:                                         ; preds = %if.then14, %land.lhs.true10, %if.end7
  %frame = getelementptr inbounds nuw i8, ptr %slot, i64 8
  %2 = load volatile ptr, ptr %frame, align 8, !tbaa !11
  %tobool16.not = icmp eq ptr %2, null
  br i1 %tobool16.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %if.end15
  %calls1.i = getelementptr inbounds nuw i8, ptr %slot, i64 16
  %3 = load volatile i64, ptr %calls1.i, align 8, !tbaa !17
  %request2.i = getelementptr inbounds nuw i8, ptr %slot, i64 24
  %4 = load volatile i64, ptr %request2.i, align 8, !tbaa !16
  %expired3.i = getelementptr inbounds nuw i8, ptr %slot, i64 40
  %5 = load volatile i64, ptr %expired3.i, align 8, !tbaa !14
  %tobool.i = icmp ne i64 %4, 0
  %cmp.i = icmp eq i64 %4, %3
  %or.cond = select i1 %tobool.i, i1 %cmp.i, i1 false
  br i1 %or.cond, label %cond.end, label %cond.false.i

cond.false.i:                                     ; preds = %cond.true
  %tobool4.i.not = icmp eq i64 %5, 0
  %cond.i = select i1 %tobool4.i.not, i32 0, i32 11
  br label %cond.end

cond.end:                                         ; preds = %if.end15, %cond.false.i, %cond.true
  %cond = phi i32 [ 10, %cond.true ], [ %cond.i, %cond.false.i ], [ 0, %if.end15 ]
  ret i32 %cond
}

declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) #5

declare i64 @syscall(i64, ...) #2

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #6

declare i32 @clock_gettime(i32, ptr) #2

define internal zeroext i1 @set_timer(i64 %timer, ptr %setting) #0 {
entry:
  %sub = add i64 %timer, -1
  %call = call i64 (i64, ...) @syscall(i64 223, i64 %sub, i64 1, ptr %setting, ptr null) #7
  %tobool.not = icmp eq i64 %call, 0
  ret i1 %tobool.not
}

declare i32 @getpid() #2

define internal zeroext i1 @woken() #0 {
entry:
  %bytes = alloca [64 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %bytes) #7
  %0 = load volatile i32, ptr @em.run.wake, align 4, !tbaa !31
  %1 = load volatile i32, ptr getelementptr inbounds nuw (i8, ptr @em.run.wake, i64 4), align 4, !tbaa !31
  %cmp = icmp slt i32 %0, 0
  br i1 %cmp, label %cleanup, label %for.cond

for.cond:                                         ; preds = %entry, %if.end14
  %seen.0 = phi i8 [ %seen.1, %if.end14 ], [ 0, %entry ]
  %call = call i64 @read(i32 %0, ptr nonnull %bytes, i64 64) #7
  %cmp1 = icmp sgt i64 %call, 0
  br i1 %cmp1, label %for.cond2, label %for.end15

for.cond2:                                        ; preds = %for.cond, %for.body5
  %seen.1 = phi i8 [ %or7, %for.body5 ], [ %seen.0, %for.cond ]
  %k.0 = phi i64 [ %inc, %for.body5 ], [ 0, %for.cond ]
  %cmp3 = icmp slt i64 %k.0, %call
  br i1 %cmp3, label %for.body5, label %for.end

for.body5:                                        ; preds = %for.cond2
  %arrayidx = getelementptr inbounds nuw i8, ptr %bytes, i64 %k.0
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !30
  %cmp6 = icmp eq i8 %2, 2
  %3 = zext i1 %cmp6 to i8
  %or7 = or i8 %seen.1, %3
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond2, !llvm.loop !37

for.end:                                          ; preds = %for.cond2
  %cmp9 = icmp sgt i32 %1, -1
  br i1 %cmp9, label %if.then11, label %if.end14

if.then11:                                        ; preds = %for.end
  %call13 = call i64 @write(i32 %1, ptr nonnull %bytes, i64 %call) #7
  br label %if.end14

if.end14:                                         ; preds = %if.then11, %for.end
  br label %for.cond, !llvm.loop !38

for.end15:                                        ; preds = %for.cond
  %loadedv16 = trunc nuw i8 %seen.0 to i1
  br label %cleanup

cleanup:                                          ; preds = %entry, %for.end15
  %retval.0 = phi i1 [ %loadedv16, %for.end15 ], [ false, %entry ]
  call void @llvm.lifetime.end.p0(ptr nonnull %bytes) #7
  ret i1 %retval.0
}

define internal zeroext i1 @tell(ptr %slot) #0 {
entry:
  %waits1 = getelementptr inbounds nuw i8, ptr %slot, i64 64
  %0 = load volatile i64, ptr %waits1, align 8, !tbaa !12
  %tobool = icmp ne i64 %0, 0
  %frame = getelementptr inbounds nuw i8, ptr %slot, i64 8
  %1 = load volatile ptr, ptr %frame, align 8, !tbaa !11
  %cmp = icmp ne ptr %1, null
  br i1 %tobool, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  store volatile i64 2, ptr %waits1, align 8, !tbaa !12
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  br i1 %cmp, label %if.then5, label %if.end6

if.then5:                                         ; preds = %if.end
  %calls = getelementptr inbounds nuw i8, ptr %slot, i64 16
  %2 = load volatile i64, ptr %calls, align 8, !tbaa !17
  %request = getelementptr inbounds nuw i8, ptr %slot, i64 24
  store volatile i64 %2, ptr %request, align 8, !tbaa !16
  br label %if.end6

if.end6:                                          ; preds = %if.then5, %if.end
  %or7 = or i1 %tobool, %cmp
  ret i1 %or7
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
  %call = call zeroext i1 @tell(ptr nonnull %arrayidx)
  br i1 %call, label %if.end, label %for.inc

if.end:                                           ; preds = %lor.lhs.false3
  %conv = sext i32 %process to i64
  %call4 = call i64 (i64, ...) @syscall(i64 234, i64 %conv, i64 %1, i64 23) #7
  br label %for.inc

for.inc:                                          ; preds = %if.end, %lor.lhs.false3, %for.body
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !39

for.end:                                          ; preds = %for.cond
  ret void
}

declare i64 @read(i32, ptr, i64) #3

declare i64 @write(i32, ptr, i64) #3

declare i32 @sigemptyset(ptr) #2

declare i32 @sigaddset(ptr, i32) #2

declare i32 @pthread_sigmask(i32, ptr, ptr) #2

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" }
attributes #3 = { "no-trapping-math"="true" }
attributes #4 = { nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #5 = { cold noreturn "no-trapping-math"="true" }
attributes #6 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #7 = { nounwind }
attributes #8 = { nounwind willreturn memory(none) }
attributes #9 = { cold noreturn nounwind }

!0 = !{!1, !1, i64 0}
!1 = !{!"p1 _ZTS4slot", !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!8, !9, i64 48}
!8 = !{!"slot", !9, i64 0, !10, i64 8, !9, i64 16, !9, i64 24, !9, i64 32, !9, i64 40, !9, i64 48, !9, i64 56, !9, i64 64}
!9 = !{!"long", !3, i64 0}
!10 = !{!"p1 _ZTS5frame", !2, i64 0}
!11 = !{!8, !10, i64 8}
!12 = !{!8, !9, i64 64}
!13 = !{!8, !9, i64 56}
!14 = !{!8, !9, i64 40}
!15 = !{!8, !9, i64 32}
!16 = !{!8, !9, i64 24}
!17 = !{!8, !9, i64 16}
!18 = !{!19, !2, i64 128}
!19 = !{!"arena", !20, i64 0, !20, i64 8, !20, i64 16, !21, i64 24, !21, i64 32, !9, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !9, i64 80, !9, i64 88, !9, i64 96, !2, i64 104, !9, i64 112, !2, i64 120, !2, i64 128, !2, i64 136, !3, i64 144}
!20 = !{!"p1 omnipotent char", !2, i64 0}
!21 = !{!"p1 _ZTS5chunk", !2, i64 0}
!22 = !{!23, !9, i64 0}
!23 = !{!"timespec", !9, i64 0, !9, i64 8}
!24 = !{!23, !9, i64 8}
!25 = !{!26, !27, i64 8}
!26 = !{!"sigevent", !3, i64 0, !27, i64 8, !27, i64 12, !3, i64 16}
!27 = !{!"int", !3, i64 0}
!28 = !{!26, !27, i64 12}
!29 = !{!8, !9, i64 0}
!30 = !{!3, !3, i64 0}
!31 = !{!27, !27, i64 0}
!32 = distinct !{!32, !6}
!33 = !{!34, !9, i64 24}
!34 = !{!"frame", !10, i64 0, !35, i64 8, !2, i64 16, !9, i64 24}
!35 = !{!"p1 _ZTS6record", !2, i64 0}
!36 = !{!34, !10, i64 0}
!37 = distinct !{!37, !6}
!38 = distinct !{!38, !6}
!39 = distinct !{!39, !6}
