%struct.kept = type { ptr, i32, i8, ptr, ptr, i64, i64, %struct.sigaction }
%struct.sigaction = type { %union.anon, %struct.__sigset_t, i32, ptr }
%union.anon = type { ptr }
%struct.__sigset_t = type { [16 x i64] }
%struct.record = type { i32, i32, ptr, ptr, ptr, i64 }
%struct.frame = type { ptr, ptr, ptr, i64 }
%struct.siginfo_t = type { i32, i32, i32, i32, %union.anon.0 }
%union.anon.0 = type { %struct.anon.3, [80 x i8] }
%struct.anon.3 = type { i32, i32, i32, i64, i64 }
%struct.sigevent = type { %union.sigval, i32, i32, %union.anon.9 }
%union.sigval = type { ptr }
%union.anon.9 = type { %struct.anon.10, [32 x i8] }
%struct.anon.10 = type { ptr, ptr }

@kept = internal global [65 x %struct.kept] zeroinitializer, align 16
@.str = private unnamed_addr constant [5 x i8] c"came\00", align 1
@em.run.frame_key = external global i32, align 4
@em.run.arena_key = external global i32, align 4

define ptr @em.run.handler_place(i32 %number) #0 {
entry:
  %0 = add i32 %number, -65
  %or.cond = icmp ult i32 %0, -64
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr @kept, i64 %idxprom
  %cond = select i1 %or.cond, ptr null, ptr %arrayidx
  ret ptr %cond
}

define i32 @em.run.is_caught(i32 %number) #0 {
entry:
  switch i32 %number, label %sw.default [
    i32 2, label %return
    i32 4, label %return
    i32 5, label %return
    i32 6, label %return
    i32 7, label %return
    i32 8, label %return
    i32 11, label %return
    i32 23, label %return
  ]

sw.default:                                       ; preds = %entry
  br label %return

return:                                           ; preds = %entry, %entry, %entry, %entry, %entry, %entry, %entry, %entry, %sw.default
  %retval.0 = phi i32 [ 0, %sw.default ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 1, %entry ]
  ret i32 %retval.0
}

define void @em.run.relay(i32 %number, ptr %info, ptr %context) #0 {
entry:
  %record = alloca %struct.record, align 8
  %call = call ptr @__errno_location() #10
  %0 = load i32, ptr %call, align 4, !tbaa !0
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr @kept, i64 %idxprom
  %1 = load i32, ptr @em.run.frame_key, align 4, !tbaa !0
  %call.i = call ptr @pthread_getspecific(i32 %1) #11
  %2 = load ptr, ptr %arrayidx, align 8, !tbaa !4
  %tobool = icmp ne ptr %call.i, null
  %cmp = icmp ne ptr %2, null
  %or.cond = select i1 %tobool, i1 %cmp, i1 false
  br i1 %or.cond, label %if.then, label %if.else

if.then:                                          ; preds = %entry
  %flags = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %3 = load i32, ptr %flags, align 8, !tbaa !12
  %tobool3.not = icmp sgt i32 %3, -1
  br i1 %tobool3.not, label %if.end, label %if.then4

if.then4:                                         ; preds = %if.then
  store ptr null, ptr %arrayidx, align 8, !tbaa !4
  br label %if.end

if.end:                                           ; preds = %if.then4, %if.then
  %cmp6.not = icmp eq ptr %2, inttoptr (i64 1 to ptr)
  br i1 %cmp6.not, label %if.end24, label %if.then7

if.then7:                                         ; preds = %if.end
  call void @run_handler(ptr nonnull %2, i32 %number, ptr %info, ptr %context, ptr nonnull %call.i)
  br label %if.end24

if.else:                                          ; preds = %entry
  %before9 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  %4 = load ptr, ptr %before9, align 8, !tbaa !13
  %cmp10.not = icmp eq ptr %4, null
  br i1 %cmp10.not, label %lor.lhs.false, label %if.then17

lor.lhs.false:                                    ; preds = %if.else
  %call11 = call zeroext i1 @is_own(ptr %info)
  br i1 %call11, label %lor.lhs.false12, label %if.then17

lor.lhs.false12:                                  ; preds = %lor.lhs.false
  %tobool13.not = icmp eq ptr %call.i, null
  br i1 %tobool13.not, label %if.else19, label %land.lhs.true14

land.lhs.true14:                                  ; preds = %lor.lhs.false12
  %marks = getelementptr inbounds nuw i8, ptr %call.i, i64 24
  %5 = load volatile i64, ptr %marks, align 8, !tbaa !14
  %and15 = and i64 %5, 1
  %tobool16.not = icmp eq i64 %and15, 0
  br i1 %tobool16.not, label %if.else19, label %if.then17

if.then17:                                        ; preds = %land.lhs.true14, %lor.lhs.false, %if.else
  call void @em.run.pass(i32 %number, ptr %info, ptr %context, ptr nonnull %before9) #11
  br label %if.end24

if.else19:                                        ; preds = %land.lhs.true14, %lor.lhs.false12
  %call20 = call zeroext i1 @is_running(ptr nonnull %arrayidx)
  br i1 %call20, label %if.then21, label %if.end24

if.then21:                                        ; preds = %if.else19
  call void @llvm.lifetime.start.p0(ptr nonnull %record) #11
  store i32 8, ptr %record, align 8, !tbaa !18
  %status = getelementptr inbounds nuw i8, ptr %record, i64 4
  store i32 %number, ptr %status, align 4, !tbaa !21
  %text = getelementptr inbounds nuw i8, ptr %record, i64 8
  store ptr @.str, ptr %text, align 8, !tbaa !22
  %file = getelementptr inbounds nuw i8, ptr %record, i64 16
  store ptr null, ptr %file, align 8, !tbaa !23
  %function = getelementptr inbounds nuw i8, ptr %record, i64 24
  %asked = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %6 = load ptr, ptr %asked, align 8, !tbaa !24
  store ptr %6, ptr %function, align 8, !tbaa !25
  %bytes = getelementptr inbounds nuw i8, ptr %record, i64 32
  store i64 0, ptr %bytes, align 8, !tbaa !26
  %asker = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %7 = load ptr, ptr %asker, align 8, !tbaa !27
  %tid = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %8 = load i64, ptr %tid, align 8, !tbaa !28
  call void @em.run.fails(ptr %7, i64 %8, ptr nonnull %record) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %record) #11
  br label %if.end24

if.end24:                                         ; preds = %if.then17, %if.then21, %if.else19, %if.end, %if.then7
  store i32 %0, ptr %call, align 4, !tbaa !0
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare ptr @__errno_location() #2

define internal void @run_handler(ptr %chosen, i32 %number, ptr %info, ptr %context, ptr %outer) #0 {
entry:
  %record = alloca %struct.record, align 8
  %frame = alloca %struct.frame, align 8
  %buffer3 = alloca [512 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %record) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(40) %record, i8 0, i64 40, i1 false)
  call void @llvm.lifetime.start.p0(ptr nonnull %frame) #11
  store volatile ptr null, ptr %frame, align 8, !tbaa !29
  %record1 = getelementptr inbounds nuw i8, ptr %frame, i64 8
  store volatile ptr %record, ptr %record1, align 8, !tbaa !30
  %buffer = getelementptr inbounds nuw i8, ptr %frame, i64 16
  store volatile ptr null, ptr %buffer, align 8, !tbaa !31
  %marks = getelementptr inbounds nuw i8, ptr %frame, i64 24
  %marks2 = getelementptr inbounds nuw i8, ptr %outer, i64 24
  %0 = load volatile i64, ptr %marks2, align 8, !tbaa !14
  %and = and i64 %0, 1
  store volatile i64 %and, ptr %marks, align 8, !tbaa !14
  call void @llvm.lifetime.start.p0(ptr nonnull %buffer3) #11
  store volatile ptr %buffer3, ptr %buffer, align 8, !tbaa !31
  call void @em.run.push_frame(ptr nonnull %frame) #11
  %call = call i32 @_setjmp(ptr nonnull %buffer3) #12
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void %chosen(i32 %number, ptr %info, ptr %context) #11
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  call void @em.run.pop_frame(ptr nonnull %frame) #11
  %1 = load volatile i64, ptr %marks, align 8, !tbaa !14
  %and7 = and i64 %1, 1
  %2 = load volatile i64, ptr %marks2, align 8, !tbaa !14
  %or = or i64 %2, %and7
  store volatile i64 %or, ptr %marks2, align 8, !tbaa !14
  %3 = load i32, ptr %record, align 8, !tbaa !18
  %tobool9.not = icmp eq i32 %3, 0
  br i1 %tobool9.not, label %if.end11, label %if.then10

if.then10:                                        ; preds = %if.end
  call void @tell_call(ptr nonnull %record)
  br label %if.end11

if.end11:                                         ; preds = %if.then10, %if.end
  call void @llvm.lifetime.end.p0(ptr nonnull %buffer3) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %frame) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %record) #11
  ret void
}

define internal zeroext i1 @is_own(ptr %info) #0 {
entry:
  %si_code = getelementptr inbounds nuw i8, ptr %info, i64 8
  %0 = load i32, ptr %si_code, align 8, !tbaa !32
  switch i32 %0, label %sw.default [
    i32 0, label %sw.bb
    i32 -1, label %sw.bb
    i32 -6, label %sw.bb
  ]

sw.bb:                                            ; preds = %entry, %entry, %entry
  %_sifields = getelementptr inbounds nuw i8, ptr %info, i64 16
  %1 = load i32, ptr %_sifields, align 8, !tbaa !13
  %call = call i32 @getpid() #11
  %cmp = icmp eq i32 %1, %call
  br label %return

sw.default:                                       ; preds = %entry
  %cmp2 = icmp slt i32 %0, 1
  %cmp4 = icmp eq i32 %0, 128
  %spec.select = or i1 %cmp2, %cmp4
  br label %return

return:                                           ; preds = %sw.default, %sw.bb
  %retval.0 = phi i1 [ %cmp, %sw.bb ], [ %spec.select, %sw.default ]
  ret i1 %retval.0
}

declare void @em.run.pass(i32, ptr, ptr, ptr) #3

define internal zeroext i1 @is_running(ptr %timer) #0 {
entry:
  %asker = getelementptr inbounds nuw i8, ptr %timer, i64 24
  %0 = load ptr, ptr %asker, align 8, !tbaa !27
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %land.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %1 = load i64, ptr %0, align 8, !tbaa !34
  %tid1 = getelementptr inbounds nuw i8, ptr %timer, i64 32
  %2 = load i64, ptr %tid1, align 8, !tbaa !28
  %cmp = icmp eq i64 %1, %2
  br i1 %cmp, label %land.lhs.true2, label %land.end

land.lhs.true2:                                   ; preds = %land.lhs.true
  %frame = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load volatile ptr, ptr %frame, align 8, !tbaa !36
  %tobool3.not = icmp eq ptr %3, null
  br i1 %tobool3.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %land.lhs.true2
  %calls = getelementptr inbounds nuw i8, ptr %0, i64 16
  %4 = load volatile i64, ptr %calls, align 8, !tbaa !37
  %call = getelementptr inbounds nuw i8, ptr %timer, i64 40
  %5 = load i64, ptr %call, align 8, !tbaa !38
  %cmp4 = icmp eq i64 %4, %5
  br label %land.end

land.end:                                         ; preds = %land.rhs, %land.lhs.true2, %land.lhs.true, %entry
  %6 = phi i1 [ false, %land.lhs.true2 ], [ false, %land.lhs.true ], [ false, %entry ], [ %cmp4, %land.rhs ]
  ret i1 %6
}

declare void @em.run.fails(ptr, i64, ptr) #3

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define ptr @em.run.disposition(i32 %number) #0 {
entry:
  %now = alloca %struct.sigaction, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %now) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(152) %now, i8 0, i64 152, i1 false)
  %call = call i32 @sigaction(i32 %number, ptr null, ptr nonnull %now) #11
  %0 = load ptr, ptr %now, align 8, !tbaa !13
  %cmp = icmp eq ptr %0, @em.run.relay
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr @kept, i64 %idxprom
  %before = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  %cond.in = select i1 %cmp, ptr %before, ptr %now
  %cond = load ptr, ptr %cond.in, align 8, !tbaa !13
  call void @llvm.lifetime.end.p0(ptr nonnull %now) #11
  ret ptr %cond
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #4

declare i32 @sigaction(i32, ptr, ptr) #5

define void @em.run.call_handler(i32 %number) #0 {
entry:
  %info = alloca %struct.siginfo_t, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %info) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %info, i8 0, i64 128, i1 false)
  store i32 %number, ptr %info, align 8, !tbaa !39
  %si_code = getelementptr inbounds nuw i8, ptr %info, i64 8
  store i32 -6, ptr %si_code, align 8, !tbaa !32
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr @kept, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !4
  %call = call i32 @getpid() #11
  %_sifields2 = getelementptr inbounds nuw i8, ptr %info, i64 16
  store i32 %call, ptr %_sifields2, align 8, !tbaa !13
  %flags = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load i32, ptr %flags, align 8, !tbaa !12
  %tobool.not = icmp sgt i32 %1, -1
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  store ptr null, ptr %arrayidx, align 8, !tbaa !4
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  call void %0(i32 %number, ptr nonnull %info, ptr null) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %info) #11
  ret void
}

declare i32 @getpid() #5

define zeroext i1 @em.run.watch(i32 %number, ptr %place) #0 {
entry:
  %call = call ptr @em.run.handler_place(i32 %number)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  %call1 = call i32 @em.run.is_caught(i32 %number)
  %tobool2.not = icmp eq i32 %call1, 0
  br i1 %tobool2.not, label %if.end5, label %if.then3

if.then3:                                         ; preds = %if.end
  %cmp = icmp eq i32 %number, 23
  %cmp4 = icmp eq i32 %number, 2
  %spec.select = or i1 %cmp, %cmp4
  br label %return

if.end5:                                          ; preds = %if.end
  %call6 = call ptr @em.run.slot() #11
  %tobool7.not = icmp eq ptr %call6, null
  br i1 %tobool7.not, label %if.end30.critedge, label %land.lhs.true

land.lhs.true:                                    ; preds = %if.end5
  %owner = getelementptr inbounds nuw i8, ptr %call6, i64 120
  %0 = load ptr, ptr %owner, align 8, !tbaa !40
  %tobool8.not = icmp eq ptr %0, null
  %spec.select18 = select i1 %tobool8.not, ptr %call6, ptr %0
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr @kept, i64 %idxprom
  %asker10 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  store ptr null, ptr %asker10, align 8, !tbaa !27
  %asked = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  store ptr %place, ptr %asked, align 8, !tbaa !24
  %1 = load i64, ptr %spec.select18, align 8, !tbaa !34
  %tid17 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  store i64 %1, ptr %tid17, align 8, !tbaa !28
  %owner18 = getelementptr inbounds nuw i8, ptr %call6, i64 120
  %2 = load ptr, ptr %owner18, align 8, !tbaa !40
  %tobool19.not = icmp eq ptr %2, null
  br i1 %tobool19.not, label %cond.false21, label %cond.true20

cond.true20:                                      ; preds = %land.lhs.true
  %owner_call = getelementptr inbounds nuw i8, ptr %call6, i64 136
  %3 = load i64, ptr %owner_call, align 8, !tbaa !41
  br label %cond.end22

cond.false21:                                     ; preds = %land.lhs.true
  %calls = getelementptr inbounds nuw i8, ptr %call6, i64 16
  %4 = load volatile i64, ptr %calls, align 8, !tbaa !37
  br label %cond.end22

cond.end22:                                       ; preds = %cond.false21, %cond.true20
  %cond23 = phi i64 [ %3, %cond.true20 ], [ %4, %cond.false21 ]
  %call26 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  store i64 %cond23, ptr %call26, align 8, !tbaa !38
  store ptr %spec.select18, ptr %asker10, align 8, !tbaa !27
  br label %if.end30

if.end30.critedge:                                ; preds = %if.end5
  %idxprom.c = sext i32 %number to i64
  %arrayidx.c = getelementptr inbounds %struct.kept, ptr @kept, i64 %idxprom.c
  %asker10.c = getelementptr inbounds nuw i8, ptr %arrayidx.c, i64 24
  store ptr null, ptr %asker10.c, align 8, !tbaa !27
  br label %if.end30

if.end30:                                         ; preds = %if.end30.critedge, %cond.end22
  %call31 = call zeroext i1 @install(i32 %number, ptr null)
  br label %return

return:                                           ; preds = %entry, %if.end30, %if.then3
  %retval.0 = phi i1 [ %spec.select, %if.then3 ], [ %call31, %if.end30 ], [ true, %entry ]
  ret i1 %retval.0
}

declare ptr @em.run.slot() #3

define internal zeroext i1 @install(i32 %number, ptr %like) #0 {
entry:
  %now = alloca %struct.sigaction, align 8
  %ours = alloca %struct.sigaction, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %now) #11
  call void @llvm.lifetime.start.p0(ptr nonnull %ours) #11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(152) %ours, i8 0, i64 152, i1 false)
  %0 = getelementptr inbounds nuw i8, ptr %ours, i64 136
  store i32 268435456, ptr %0, align 8
  %call = call i32 @sigaction(i32 %number, ptr null, ptr nonnull %now) #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %cleanup

if.end:                                           ; preds = %entry
  %tobool1.not = icmp eq ptr %like, null
  br i1 %tobool1.not, label %if.end3, label %if.then2

if.then2:                                         ; preds = %if.end
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(152) %ours, ptr noundef nonnull align 8 dereferenceable(152) %like, i64 152, i1 false), !tbaa.struct !42
  br label %if.end3

if.end3:                                          ; preds = %if.then2, %if.end
  %1 = load ptr, ptr %now, align 8, !tbaa !13
  %cmp.not = icmp eq ptr %1, @em.run.relay
  br i1 %cmp.not, label %if.else, label %if.then4

if.then4:                                         ; preds = %if.end3
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr @kept, i64 %idxprom
  %before = getelementptr inbounds nuw i8, ptr %arrayidx, i64 48
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(152) %before, ptr noundef nonnull align 8 dereferenceable(152) %now, i64 152, i1 false), !tbaa.struct !42
  br label %if.end8

if.else:                                          ; preds = %if.end3
  br i1 %tobool1.not, label %cleanup, label %if.end8

if.end8:                                          ; preds = %if.else, %if.then4
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %if.end8
  %other.0 = phi i32 [ 1, %if.end8 ], [ %inc, %for.inc ]
  %cmp9 = icmp samesign ult i32 %other.0, 65
  br i1 %cmp9, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %call10 = call i32 @em.run.is_caught(i32 %other.0)
  %tobool11.not = icmp eq i32 %call10, 0
  br i1 %tobool11.not, label %for.inc, label %if.then12

if.then12:                                        ; preds = %for.body
  %sa_mask = getelementptr inbounds nuw i8, ptr %ours, i64 8
  %call13 = call i32 @sigdelset(ptr nonnull %sa_mask, i32 %other.0) #11
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then12
  %inc = add nuw nsw i32 %other.0, 1
  br label %for.cond, !llvm.loop !44

for.end:                                          ; preds = %for.cond
  %2 = load i32, ptr %0, align 8, !tbaa !46
  %and = and i32 %2, 2147483643
  %or = or disjoint i32 %and, 4
  store i32 %or, ptr %0, align 8, !tbaa !46
  store ptr @em.run.relay, ptr %ours, align 8, !tbaa !13
  %call17 = call i32 @sigaction(i32 %number, ptr nonnull %ours, ptr null) #11
  %tobool18.not = icmp eq i32 %call17, 0
  br label %cleanup

cleanup:                                          ; preds = %if.else, %entry, %for.end
  %retval.0 = phi i1 [ false, %entry ], [ %tobool18.not, %for.end ], [ true, %if.else ]
  call void @llvm.lifetime.end.p0(ptr nonnull %ours) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %now) #11
  ret i1 %retval.0
}

define ptr @em.run.handle(i32 %number, ptr %new) #0 {
entry:
  %now = alloca %struct.sigaction, align 8
  %.compoundliteral = alloca %struct.sigaction, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %now) #11
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %call1 = call ptr @em.run.handler_place(i32 %number)
  %tobool2.not = icmp eq ptr %call1, null
  br i1 %tobool2.not, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %entry
  %call3 = call ptr @signal(i32 %number, ptr %new) #11
  br label %cleanup

if.end:                                           ; preds = %lor.lhs.false
  %call4 = call i32 @sigaction(i32 %number, ptr null, ptr nonnull %now) #11
  %tobool5.not = icmp eq i32 %call4, 0
  br i1 %tobool5.not, label %if.end7, label %cleanup

if.end7:                                          ; preds = %if.end
  %call8 = call i32 @em.run.is_caught(i32 %number)
  %tobool9 = icmp eq i32 %call8, 0
  %cmp = icmp ne ptr %new, null
  %or.cond = select i1 %tobool9, i1 %cmp, i1 false
  br i1 %or.cond, label %land.lhs.true10, label %if.end13

land.lhs.true10:                                  ; preds = %if.end7
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(152) %.compoundliteral, i8 0, i64 152, i1 false)
  %sa_flags = getelementptr inbounds nuw i8, ptr %.compoundliteral, i64 136
  store i32 268435456, ptr %sa_flags, align 8, !tbaa !46
  %call11 = call zeroext i1 @install(i32 %number, ptr nonnull %.compoundliteral)
  br i1 %call11, label %if.end13, label %cleanup

if.end13:                                         ; preds = %land.lhs.true10, %if.end7
  %call14 = call ptr @choose(i32 %number, ptr %new, i32 0)
  %call15 = call i32 @em.run.is_caught(i32 %number)
  %tobool16 = icmp ne i32 %call15, 0
  %0 = load ptr, ptr %now, align 8
  %cmp19 = icmp eq ptr %0, @em.run.relay
  %or.cond9 = select i1 %tobool16, i1 true, i1 %cmp19
  %cond = select i1 %or.cond9, ptr %call14, ptr %0
  br label %cleanup

cleanup:                                          ; preds = %land.lhs.true10, %if.end, %if.end13, %if.then
  %retval.0 = phi ptr [ %call3, %if.then ], [ %cond, %if.end13 ], [ inttoptr (i64 -1 to ptr), %if.end ], [ inttoptr (i64 -1 to ptr), %land.lhs.true10 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %now) #11
  ret ptr %retval.0
}

declare i32 @em.run.is_called() #3

declare ptr @signal(i32, ptr) #5

define internal ptr @choose(i32 %number, ptr %new, i32 %flags) #0 {
entry:
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr @kept, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !4
  %1 = ptrtoint ptr %new to i64
  %call = call zeroext i1 @em.run.is_program(i64 %1) #11
  %of_program = getelementptr inbounds nuw i8, ptr %arrayidx, i64 12
  %storedv = zext i1 %call to i8
  store i8 %storedv, ptr %of_program, align 4, !tbaa !47
  %flags5 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i32 %flags, ptr %flags5, align 8, !tbaa !12
  store ptr %new, ptr %arrayidx, align 8, !tbaa !4
  ret ptr %0
}

define i32 @em.run.sigaction(i32 %number, ptr %action, ptr %old) #0 {
entry:
  %now = alloca %struct.sigaction, align 8
  %new = alloca %struct.sigaction, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %now) #11
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.then, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %entry
  %call1 = call ptr @em.run.handler_place(i32 %number)
  %tobool2.not = icmp eq ptr %call1, null
  br i1 %tobool2.not, label %if.then, label %if.end

if.then:                                          ; preds = %lor.lhs.false, %entry
  %call3 = call i32 @sigaction(i32 %number, ptr %action, ptr %old) #11
  br label %cleanup37

if.end:                                           ; preds = %lor.lhs.false
  %call4 = call i32 @sigaction(i32 %number, ptr null, ptr nonnull %now) #11
  %tobool5.not = icmp eq i32 %call4, 0
  br i1 %tobool5.not, label %if.end7, label %cleanup37

if.end7:                                          ; preds = %if.end
  %call8 = call i32 @em.run.is_caught(i32 %number)
  %tobool9 = icmp ne i32 %call8, 0
  %0 = load ptr, ptr %now, align 8
  %cmp = icmp eq ptr %0, @em.run.relay
  %or.cond = select i1 %tobool9, i1 true, i1 %cmp
  br i1 %or.cond, label %if.then11, label %if.end19

if.then11:                                        ; preds = %if.end7
  %call12 = call i32 @em.run.is_caught(i32 %number)
  %tobool13.not = icmp eq i32 %call12, 0
  br i1 %tobool13.not, label %if.end15, label %if.then14

if.then14:                                        ; preds = %if.then11
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(152) %now, i8 0, i64 152, i1 false)
  br label %if.end15

if.end15:                                         ; preds = %if.then14, %if.then11
  %idxprom = sext i32 %number to i64
  %arrayidx = getelementptr inbounds %struct.kept, ptr @kept, i64 %idxprom
  %1 = load ptr, ptr %arrayidx, align 8, !tbaa !4
  store ptr %1, ptr %now, align 8, !tbaa !13
  %flags = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %2 = load i32, ptr %flags, align 8, !tbaa !12
  %sa_flags = getelementptr inbounds nuw i8, ptr %now, i64 136
  store i32 %2, ptr %sa_flags, align 8, !tbaa !46
  br label %if.end19

if.end19:                                         ; preds = %if.end7, %if.end15
  %tobool20.not = icmp eq ptr %action, null
  br i1 %tobool20.not, label %if.end33, label %if.then21

if.then21:                                        ; preds = %if.end19
  call void @llvm.lifetime.start.p0(ptr nonnull %new) #11
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(152) %new, ptr noundef nonnull align 8 dereferenceable(152) %action, i64 152, i1 false), !tbaa.struct !42
  %call22 = call i32 @em.run.is_caught(i32 %number)
  %tobool23 = icmp eq i32 %call22, 0
  %3 = load ptr, ptr %new, align 8
  %cmp25 = icmp ne ptr %3, null
  %or.cond14 = select i1 %tobool23, i1 %cmp25, i1 false
  br i1 %or.cond14, label %land.lhs.true26, label %if.end29

land.lhs.true26:                                  ; preds = %if.then21
  %call27 = call zeroext i1 @install(i32 %number, ptr nonnull %new)
  br i1 %call27, label %if.end29, label %cleanup

if.end29:                                         ; preds = %land.lhs.true26, %if.then21
  %4 = load ptr, ptr %new, align 8, !tbaa !13
  %sa_flags31 = getelementptr inbounds nuw i8, ptr %new, i64 136
  %5 = load i32, ptr %sa_flags31, align 8, !tbaa !46
  %call32 = call ptr @choose(i32 %number, ptr %4, i32 %5)
  call void @llvm.lifetime.end.p0(ptr nonnull %new) #11
  br label %if.end33

cleanup:                                          ; preds = %land.lhs.true26
  call void @llvm.lifetime.end.p0(ptr nonnull %new) #11
  br label %cleanup37

if.end33:                                         ; preds = %if.end29, %if.end19
  %tobool34.not = icmp eq ptr %old, null
  br i1 %tobool34.not, label %cleanup37, label %if.then35

if.then35:                                        ; preds = %if.end33
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(152) %old, ptr noundef nonnull align 8 dereferenceable(152) %now, i64 152, i1 false), !tbaa.struct !42
  br label %cleanup37

cleanup37:                                        ; preds = %cleanup, %if.end33, %if.then35, %if.end, %if.then
  %retval.0 = phi i32 [ %call3, %if.then ], [ -1, %cleanup ], [ -1, %if.end ], [ 0, %if.then35 ], [ 0, %if.end33 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %now) #11
  ret i32 %retval.0
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #6

define void @em.run.forget_handlers() #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %number.0 = phi i32 [ 1, %entry ], [ %inc, %for.inc ]
  %cmp = icmp samesign ult i32 %number.0, 65
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %number.0 to i64
  %arrayidx = getelementptr inbounds nuw %struct.kept, ptr @kept, i64 %idxprom
  %of_program = getelementptr inbounds nuw i8, ptr %arrayidx, i64 12
  %0 = load i8, ptr %of_program, align 4, !tbaa !47, !range !48, !noundef !49
  %loadedv = trunc nuw i8 %0 to i1
  br i1 %loadedv, label %land.lhs.true, label %for.inc

land.lhs.true:                                    ; preds = %for.body
  %1 = load ptr, ptr %arrayidx, align 8, !tbaa !4
  %2 = ptrtoint ptr %1 to i64
  %call = call zeroext i1 @em.run.is_program(i64 %2) #11
  br i1 %call, label %for.inc, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %call3 = call ptr @choose(i32 %number.0, ptr null, i32 0)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %land.lhs.true, %if.then
  %inc = add nuw nsw i32 %number.0, 1
  br label %for.cond, !llvm.loop !50

for.end:                                          ; preds = %for.cond
  ret void
}

declare zeroext i1 @em.run.is_program(i64) #3

define i32 @em.run.sigmask(i32 %how, ptr %set, ptr %old) #0 {
entry:
  %chosen = alloca %struct.__sigset_t, align 8
  %call = call i32 @em.run.is_called() #11
  %tobool = icmp eq i32 %call, 0
  %tobool1 = icmp eq ptr %set, null
  %or.cond.not10 = select i1 %tobool, i1 true, i1 %tobool1
  %cmp = icmp eq i32 %how, 1
  %or.cond9 = select i1 %or.cond.not10, i1 true, i1 %cmp
  br i1 %or.cond9, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %call3 = call i32 @pthread_sigmask(i32 %how, ptr %set, ptr %old) #11
  br label %return

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %chosen) #11
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %chosen, ptr noundef nonnull align 8 dereferenceable(128) %set, i64 128, i1 false), !tbaa.struct !51
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %if.end
  %number.0 = phi i32 [ 1, %if.end ], [ %inc, %for.inc ]
  %cmp4 = icmp samesign ult i32 %number.0, 65
  br i1 %cmp4, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %call5 = call i32 @em.run.is_caught(i32 %number.0)
  %tobool6.not = icmp eq i32 %call5, 0
  br i1 %tobool6.not, label %for.inc, label %if.then7

if.then7:                                         ; preds = %for.body
  %call8 = call i32 @sigdelset(ptr nonnull %chosen, i32 %number.0) #11
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then7
  %inc = add nuw nsw i32 %number.0, 1
  br label %for.cond, !llvm.loop !52

for.end:                                          ; preds = %for.cond
  %call10 = call i32 @pthread_sigmask(i32 %how, ptr nonnull %chosen, ptr %old) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %chosen) #11
  br label %return

return:                                           ; preds = %for.end, %if.then
  %retval.0 = phi i32 [ %call3, %if.then ], [ %call10, %for.end ]
  ret i32 %retval.0
}

declare i32 @pthread_sigmask(i32, ptr, ptr) #5

declare i32 @sigdelset(ptr, i32) #5

define i32 @em.run.sighold(i32 %number) #0 {
entry:
  %set = alloca %struct.__sigset_t, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %set) #11
  %call = call i32 @sigemptyset(ptr nonnull %set) #11
  %call1 = call i32 @sigaddset(ptr nonnull %set, i32 %number) #11
  %call2 = call i32 @em.run.sigmask(i32 0, ptr nonnull %set, ptr null)
  call void @llvm.lifetime.end.p0(ptr nonnull %set) #11
  ret i32 %call2
}

declare i32 @sigemptyset(ptr) #5

declare i32 @sigaddset(ptr, i32) #5

define i32 @em.run.sigignore(i32 %number) #0 {
entry:
  %call = call ptr @em.run.handle(i32 %number, ptr nonnull inttoptr (i64 1 to ptr))
  %cmp = icmp eq ptr %call, inttoptr (i64 -1 to ptr)
  %cond = sext i1 %cmp to i32
  ret i32 %cond
}

define i32 @em.run.sigaltstack(ptr %new, ptr %old) #0 {
entry:
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  %.new = select i1 %tobool.not, ptr %new, ptr null
  %call1 = call i32 @sigaltstack(ptr %.new, ptr %old) #11
  ret i32 %call1
}

declare i32 @sigaltstack(ptr, ptr) #5

define i32 @em.run.alarm(i32 %seconds) #7 {
entry:
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call1 = call zeroext i1 @em.run.watch(i32 14, ptr %0)
  br i1 %call1, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %call2 = call i32 @em.run.raise_from(i32 14, ptr %0) #11
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %entry
  %call3 = call i32 @alarm(i32 %seconds) #11
  ret i32 %call3
}

declare ptr @llvm.returnaddress(i32 immarg) #8

declare i32 @em.run.raise_from(i32, ptr) #3

declare i32 @alarm(i32) #5

define i32 @em.run.ualarm(i32 %first, i32 %each) #7 {
entry:
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call1 = call zeroext i1 @em.run.watch(i32 14, ptr %0)
  br i1 %call1, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %call2 = call i32 @em.run.raise_from(i32 14, ptr %0) #11
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %entry
  %call3 = call i32 @ualarm(i32 %first, i32 %each) #11
  ret i32 %call3
}

declare i32 @ualarm(i32, i32) #5

define i32 @em.run.setitimer(i32 %which, ptr %new, ptr %old) #7 {
entry:
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %cmp = icmp eq i32 %which, 2
  %cmp1 = icmp eq i32 %which, 1
  %cond = select i1 %cmp1, i32 26, i32 14
  %cond2 = select i1 %cmp, i32 27, i32 %cond
  %0 = call ptr @llvm.returnaddress(i32 0)
  %call3 = call zeroext i1 @em.run.watch(i32 %cond2, ptr %0)
  br i1 %call3, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %cmp7 = icmp eq i32 %which, 1
  %cond8 = select i1 %cmp7, i32 26, i32 14
  %cond10 = select i1 %cmp, i32 27, i32 %cond8
  %call11 = call i32 @em.run.raise_from(i32 %cond10, ptr %0) #11
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %entry
  %call12 = call i32 @setitimer(i32 %which, ptr %new, ptr %old) #11
  ret i32 %call12
}

declare i32 @setitimer(i32, ptr, ptr) #5

define i32 @em.run.timer_create(i32 %clock, ptr %event, ptr %timer) #7 {
entry:
  %asked = alloca %struct.sigevent, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %asked) #11
  %call = call i32 @em.run.is_called() #11
  %tobool.not = icmp eq i32 %call, 0
  %event.addr.0.sroa.gep = getelementptr inbounds nuw i8, ptr %asked, i64 12
  %event.addr.0.sroa.gep14 = getelementptr inbounds nuw i8, ptr %event, i64 12
  %event.addr.0.sroa.gep16 = getelementptr inbounds nuw i8, ptr %asked, i64 8
  %event.addr.0.sroa.gep18 = getelementptr inbounds nuw i8, ptr %event, i64 8
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %tobool1.not = icmp eq ptr %event, null
  br i1 %tobool1.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(64) %asked, ptr noundef nonnull align 8 dereferenceable(64) %event, i64 64, i1 false), !tbaa.struct !53
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %entry
  %event.addr.0.sroa.phi = phi ptr [ %event.addr.0.sroa.gep, %if.then ], [ %event.addr.0.sroa.gep14, %land.lhs.true ], [ %event.addr.0.sroa.gep14, %entry ]
  %event.addr.0.sroa.phi15 = phi ptr [ %event.addr.0.sroa.gep16, %if.then ], [ %event.addr.0.sroa.gep18, %land.lhs.true ], [ %event.addr.0.sroa.gep18, %entry ]
  %event.addr.0 = phi ptr [ %asked, %if.then ], [ null, %land.lhs.true ], [ %event, %entry ]
  %tobool2.not = icmp eq ptr %event.addr.0, null
  br i1 %tobool2.not, label %if.then6, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %if.end
  %0 = load i32, ptr %event.addr.0.sroa.phi, align 4, !tbaa !54
  switch i32 %0, label %if.else [
    i32 0, label %if.then6
    i32 4, label %if.then6
  ]

if.then6:                                         ; preds = %lor.lhs.false, %lor.lhs.false, %if.end
  %call7 = call i32 @em.run.is_called() #11
  %tobool8.not = icmp eq i32 %call7, 0
  br i1 %tobool8.not, label %if.end27, label %land.lhs.true9

land.lhs.true9:                                   ; preds = %if.then6
  br i1 %tobool2.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %land.lhs.true9
  %1 = load i32, ptr %event.addr.0.sroa.phi15, align 8, !tbaa !56
  br label %cond.end

cond.end:                                         ; preds = %land.lhs.true9, %cond.true
  %cond = phi i32 [ %1, %cond.true ], [ 14, %land.lhs.true9 ]
  %2 = call ptr @llvm.returnaddress(i32 0)
  %call11 = call zeroext i1 @em.run.watch(i32 %cond, ptr %2)
  br i1 %call11, label %if.end27, label %if.then12

if.then12:                                        ; preds = %cond.end
  br i1 %tobool2.not, label %cond.end17, label %cond.true14

cond.true14:                                      ; preds = %if.then12
  %3 = load i32, ptr %event.addr.0.sroa.phi15, align 8, !tbaa !56
  br label %cond.end17

cond.end17:                                       ; preds = %if.then12, %cond.true14
  %cond18 = phi i32 [ %3, %cond.true14 ], [ 14, %if.then12 ]
  %call19 = call i32 @em.run.raise_from(i32 %cond18, ptr %2) #11
  br label %if.end27

if.else:                                          ; preds = %lor.lhs.false
  %cmp21 = icmp eq ptr %event.addr.0, %asked
  %cmp24 = icmp eq i32 %0, 2
  %or.cond = and i1 %cmp21, %cmp24
  br i1 %or.cond, label %if.then25, label %if.end27

if.then25:                                        ; preds = %if.else
  call void @em.run.thread_event(ptr nonnull %asked) #11
  br label %if.end27

if.end27:                                         ; preds = %if.else, %if.then25, %if.then6, %cond.end, %cond.end17
  %call28 = call i32 @timer_create(i32 %clock, ptr %event.addr.0, ptr %timer) #11
  call void @llvm.lifetime.end.p0(ptr nonnull %asked) #11
  ret i32 %call28
}

declare void @em.run.thread_event(ptr) #3

declare i32 @timer_create(i32, ptr, ptr) #5

declare ptr @pthread_getspecific(i32) #5

declare void @em.run.push_frame(ptr) #3

declare i32 @_setjmp(ptr) #9

declare void @em.run.pop_frame(ptr) #3

define internal void @tell_call(ptr %record) #0 {
entry:
  %0 = load i32, ptr @em.run.arena_key, align 4, !tbaa !0
  %call.i = call ptr @pthread_getspecific(i32 %0) #11
  %tobool.i.not = icmp eq ptr %call.i, null
  br i1 %tobool.i.not, label %slot_here.exit, label %cond.true.i

cond.true.i:                                      ; preds = %entry
  %slot.i = getelementptr inbounds nuw i8, ptr %call.i, i64 128
  %1 = load ptr, ptr %slot.i, align 8, !tbaa !57
  br label %slot_here.exit

slot_here.exit:                                   ; preds = %entry, %cond.true.i
  %cond.i = phi ptr [ %1, %cond.true.i ], [ null, %entry ]
  %tobool.not = icmp eq ptr %cond.i, null
  br i1 %tobool.not, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %slot_here.exit
  %2 = load i32, ptr %record, align 8, !tbaa !18
  switch i32 %2, label %if.then3 [
    i32 10, label %if.end4
    i32 11, label %if.end4
  ]

if.then3:                                         ; preds = %if.end
  %3 = load i64, ptr %cond.i, align 8, !tbaa !34
  call void @em.run.fails(ptr nonnull %cond.i, i64 %3, ptr nonnull %record) #11
  br label %if.end4

if.end4:                                          ; preds = %if.end, %if.end, %if.then3
  call void @em.run.arm(ptr nonnull %cond.i, i1 zeroext true) #11
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end4, %slot_here.exit
  ret void
}

declare void @em.run.arm(ptr, i1 zeroext) #3

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind willreturn memory(none) "no-trapping-math"="true" }
attributes #3 = { "no-trapping-math"="true" }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nounwind "no-trapping-math"="true" }
attributes #6 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #7 = { noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #8 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #9 = { nounwind returns_twice "no-trapping-math"="true" }
attributes #10 = { nounwind willreturn memory(none) }
attributes #11 = { nounwind }
attributes #12 = { nounwind returns_twice }

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !6, i64 0}
!5 = !{!"kept", !6, i64 0, !1, i64 8, !7, i64 12, !6, i64 16, !8, i64 24, !9, i64 32, !9, i64 40, !10, i64 48}
!6 = !{!"any pointer", !2, i64 0}
!7 = !{!"_Bool", !2, i64 0}
!8 = !{!"p1 _ZTS4slot", !6, i64 0}
!9 = !{!"long", !2, i64 0}
!10 = !{!"sigaction", !2, i64 0, !11, i64 8, !1, i64 136, !6, i64 144}
!11 = !{!"", !2, i64 0}
!12 = !{!5, !1, i64 8}
!13 = !{!2, !2, i64 0}
!14 = !{!15, !9, i64 24}
!15 = !{!"frame", !16, i64 0, !17, i64 8, !6, i64 16, !9, i64 24}
!16 = !{!"p1 _ZTS5frame", !6, i64 0}
!17 = !{!"p1 _ZTS6record", !6, i64 0}
!18 = !{!19, !1, i64 0}
!19 = !{!"record", !1, i64 0, !1, i64 4, !20, i64 8, !20, i64 16, !6, i64 24, !9, i64 32}
!20 = !{!"p1 omnipotent char", !6, i64 0}
!21 = !{!19, !1, i64 4}
!22 = !{!19, !20, i64 8}
!23 = !{!19, !20, i64 16}
!24 = !{!5, !6, i64 16}
!25 = !{!19, !6, i64 24}
!26 = !{!19, !9, i64 32}
!27 = !{!5, !8, i64 24}
!28 = !{!5, !9, i64 32}
!29 = !{!15, !16, i64 0}
!30 = !{!15, !17, i64 8}
!31 = !{!15, !6, i64 16}
!32 = !{!33, !1, i64 8}
!33 = !{!"", !1, i64 0, !1, i64 4, !1, i64 8, !1, i64 12, !2, i64 16}
!34 = !{!35, !9, i64 0}
!35 = !{!"slot", !9, i64 0, !16, i64 8, !9, i64 16, !9, i64 24, !9, i64 32, !9, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !19, i64 80, !8, i64 120, !9, i64 128, !9, i64 136, !9, i64 144}
!36 = !{!35, !16, i64 8}
!37 = !{!35, !9, i64 16}
!38 = !{!5, !9, i64 40}
!39 = !{!33, !1, i64 0}
!40 = !{!35, !8, i64 120}
!41 = !{!35, !9, i64 136}
!42 = !{i64 0, i64 8, !13, i64 8, i64 128, !13, i64 136, i64 4, !0, i64 144, i64 8, !43}
!43 = !{!6, !6, i64 0}
!44 = distinct !{!44, !45}
!45 = !{!"llvm.loop.mustprogress"}
!46 = !{!10, !1, i64 136}
!47 = !{!5, !7, i64 12}
!48 = !{i8 0, i8 2}
!49 = !{}
!50 = distinct !{!50, !45}
!51 = !{i64 0, i64 128, !13}
!52 = distinct !{!52, !45}
!53 = !{i64 0, i64 8, !13, i64 8, i64 4, !0, i64 12, i64 4, !0, i64 16, i64 48, !13}
!54 = !{!55, !1, i64 12}
!55 = !{!"sigevent", !2, i64 0, !1, i64 8, !1, i64 12, !2, i64 16}
!56 = !{!55, !1, i64 8}
!57 = !{!58, !6, i64 128}
!58 = !{!"arena", !20, i64 0, !20, i64 8, !20, i64 16, !59, i64 24, !59, i64 32, !9, i64 40, !9, i64 48, !9, i64 56, !9, i64 64, !9, i64 72, !9, i64 80, !9, i64 88, !9, i64 96, !6, i64 104, !9, i64 112, !6, i64 120, !6, i64 128, !6, i64 136, !2, i64 144}
!59 = !{!"p1 _ZTS5chunk", !6, i64 0}
