%struct.anon = type { ptr, i32 }
%struct.line = type { i64, [64 x i8], [64 x i8], [64 x i8], [64 x i8] }

@chunks = internal global ptr null, align 8
@slots = internal global ptr null, align 8
@stained = internal global i64 0, align 8
@waiting = internal global i64 0, align 8
@used = internal global i64 0, align 8
@room = internal global i64 0, align 8
@suspected = internal global %struct.anon zeroinitializer, align 8
@known_stains = internal global i32 0, align 4
@.str = private unnamed_addr constant [41 x i8] c"no memory is left for the kinds of bytes\00", align 1
@.str.1 = private unnamed_addr constant [71 x i8] c"bytes of unknown kind are copied or set, and a derivative lies in them\00", align 1
@.str.2 = private unnamed_addr constant [55 x i8] c"memory in which a derivative lies is used for pointers\00", align 1
@.str.3 = private unnamed_addr constant [79 x i8] c"a pointer to memory with derivatives is copied as an integer, or by characters\00", align 1
@.str.4 = private unnamed_addr constant [58 x i8] c"a number with a derivative is computed with as an integer\00", align 1
@.str.5 = private unnamed_addr constant [75 x i8] c"a number with a derivative is used as something else than it was stored as\00", align 1
@.str.6 = private unnamed_addr constant [52 x i8] c"only a part of a number with a derivative is copied\00", align 1
@.str.7 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@stains = internal global [256 x %struct.anon] zeroinitializer, align 16

define void @em.kinds.forget() #0 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %while.body, %entry
  %0 = load ptr, ptr @chunks, align 8, !tbaa !0
  %tobool.not = icmp eq ptr %0, null
  br i1 %tobool.not, label %while.end, label %while.body

while.body:                                       ; preds = %while.cond
  %1 = load ptr, ptr %0, align 8, !tbaa !5
  call void @free(ptr nonnull %0) #8
  store ptr %1, ptr @chunks, align 8, !tbaa !0
  br label %while.cond, !llvm.loop !8

while.end:                                        ; preds = %while.cond
  %2 = load ptr, ptr @slots, align 8, !tbaa !10
  call void @free(ptr %2) #8
  store ptr null, ptr @slots, align 8, !tbaa !10
  store i64 0, ptr @stained, align 8, !tbaa !13
  store i64 0, ptr @waiting, align 8, !tbaa !13
  store i64 0, ptr @used, align 8, !tbaa !13
  store i64 0, ptr @room, align 8, !tbaa !13
  store i32 0, ptr getelementptr inbounds nuw (i8, ptr @suspected, i64 8), align 8, !tbaa !14
  store i32 0, ptr @known_stains, align 4, !tbaa !18
  store ptr null, ptr @suspected, align 8, !tbaa !19
  ret void
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

declare void @free(ptr) #2

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define void @em.kinds.add.float(ptr %p, float %part, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  store float %part, ptr %bits, align 16
  call void @add(ptr %p, i32 32, ptr nonnull %bits, ptr %file, i32 %at)
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #8
  ret void
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #3

define internal void @add(ptr %p, i32 %kind, ptr %part, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %nothing.0 = phi i32 [ 1, %entry ], [ %and, %for.body ]
  %cmp = icmp slt i32 %k.0, %call
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %part, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %tobool.not = icmp eq i8 %0, 0
  %1 = and i32 %nothing.0, 1
  %and = select i1 %tobool.not, i32 %1, i32 0
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !21

for.end:                                          ; preds = %for.cond
  %tobool1.not = icmp eq i32 %nothing.0, 0
  br i1 %tobool1.not, label %if.end, label %cleanup.cont

if.end:                                           ; preds = %for.end
  %call2 = call i32 @state(ptr %p, i32 %kind, i32 %call)
  switch i32 %call2, label %if.end29 [
    i32 4, label %if.then4
    i32 2, label %if.then8
    i32 1, label %if.then8
    i32 3, label %for.cond12
  ]

if.then4:                                         ; preds = %if.end
  call void @fail(ptr nonnull @.str.5, ptr %file, i32 %at)
  br label %if.end29

if.then8:                                         ; preds = %if.end, %if.end
  call void @sum(ptr %p, i32 %kind, ptr %part)
  br label %if.end30

for.cond12:                                       ; preds = %if.end, %for.inc26
  %k11.0 = phi i32 [ %inc27, %for.inc26 ], [ 0, %if.end ]
  %cmp13 = icmp slt i32 %k11.0, %call
  br i1 %cmp13, label %for.body15, label %if.end29

for.body15:                                       ; preds = %for.cond12
  %idx.ext = zext nneg i32 %k11.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call16 = call zeroext i8 @mark_of(ptr %add.ptr)
  %conv = zext i8 %call16 to i32
  %add = add nsw i32 %kind, %k11.0
  %cmp17 = icmp eq i32 %add, %conv
  br i1 %cmp17, label %if.then19, label %for.inc26

if.then19:                                        ; preds = %for.body15
  %2 = load i8, ptr %add.ptr, align 1, !tbaa !20
  call void @wait_for(ptr nonnull %add.ptr, i32 %add, i8 zeroext %2, ptr %file, i32 %at)
  br label %for.inc26

for.inc26:                                        ; preds = %for.body15, %if.then19
  %inc27 = add nuw nsw i32 %k11.0, 1
  br label %for.cond12, !llvm.loop !22

if.end29:                                         ; preds = %if.then4, %for.cond12, %if.end
  call void @put(ptr %p, ptr %part, i32 %call)
  br label %if.end30

if.end30:                                         ; preds = %if.end29, %if.then8
  call void @mark_all(ptr %p, i32 %kind, i32 %call)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end30, %for.end
  ret void
}

define float @em.kinds.take.float(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  call void @take(ptr %p, i32 32, ptr nonnull %bits, ptr %file, i32 %at)
  %part.0.copyload = load float, ptr %bits, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #8
  ret float %part.0.copyload
}

define internal void @take(ptr %p, i32 %kind, ptr %part, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  %call1 = call i32 @state(ptr %p, i32 %kind, i32 %call)
  call void @none_waits(ptr %p, i32 %call, ptr %file, i32 %at)
  %conv = sext i32 %call to i64
  call void @not_stained(ptr %p, i64 %conv)
  switch i32 %call1, label %cond.false [
    i32 3, label %if.then
    i32 4, label %if.then
    i32 0, label %cond.end
  ]

if.then:                                          ; preds = %entry, %entry
  %cmp5 = icmp eq i32 %call1, 3
  %cond = select i1 %cmp5, ptr @.str.6, ptr @.str.5
  call void @fail(ptr nonnull %cond, ptr %file, i32 %at)
  %cmp7 = icmp eq i32 %call1, 0
  br i1 %cmp7, label %cond.end, label %cond.false

cond.false:                                       ; preds = %entry, %if.then
  br label %cond.end

cond.end:                                         ; preds = %if.then, %entry, %cond.false
  %cond9 = phi ptr [ %p, %cond.false ], [ null, %entry ], [ null, %if.then ]
  call void @put(ptr %part, ptr %cond9, i32 %call)
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %cond.end
  %k.0 = phi i32 [ 0, %cond.end ], [ %inc, %for.inc ]
  %cmp10 = icmp slt i32 %k.0, %call
  br i1 %cmp10, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call12 = call zeroext i8 @mark_of(ptr %add.ptr)
  %0 = and i8 %call12, -16
  %cmp14.not = icmp eq i8 %0, 64
  br i1 %cmp14.not, label %for.inc, label %if.then16

if.then16:                                        ; preds = %for.body
  store i8 0, ptr %add.ptr, align 1, !tbaa !20
  call void @set_mark(ptr nonnull %add.ptr, i32 0)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then16
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !23

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.add.x86_fp80(ptr %p, x86_fp80 %part, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  store x86_fp80 %part, ptr %bits, align 16
  call void @add(ptr %p, i32 48, ptr nonnull %bits, ptr %file, i32 %at)
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #8
  ret void
}

define x86_fp80 @em.kinds.take.x86_fp80(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %bits, i8 0, i64 16, i1 false)
  call void @take(ptr %p, i32 48, ptr nonnull %bits, ptr %file, i32 %at)
  %part.0.copyload = load x86_fp80, ptr %bits, align 16
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #8
  ret x86_fp80 %part.0.copyload
}

define void @em.kinds.add.double(ptr %p, double %part, ptr %file, i32 %at) #0 {
entry:
  %part.addr = alloca double, align 8
  store double %part, ptr %part.addr, align 8, !tbaa !24
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 7
  %cmp = icmp eq i64 %rem, 0
  %tobool = call i1 @llvm.is.fpclass.f64(double %part, i32 959)
  %or.cond = select i1 %cmp, i1 %tobool, i1 false
  br i1 %or.cond, label %if.then, label %if.end5

if.then:                                          ; preds = %entry
  %call = call ptr @line_of(ptr %p)
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 8
  %rem1 = and i64 %0, 56
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark, i64 %rem1
  %1 = load i64, ptr %arrayidx, align 1, !tbaa !20
  switch i64 %1, label %cleanup [
    i64 0, label %if.then4
    i64 1663540288323457296, label %if.then4
  ]

if.then4:                                         ; preds = %if.then, %if.then
  call void @sum(ptr %p, i32 16, ptr nonnull %part.addr)
  store i64 1663540288323457296, ptr %arrayidx, align 1, !tbaa !20
  br label %cleanup

cleanup:                                          ; preds = %if.then, %if.then4
  %cleanup.dest.slot.0 = phi i1 [ true, %if.then4 ], [ false, %if.then ]
  switch i1 %cleanup.dest.slot.0, label %unreachable [
    i1 false, label %if.end5
    i1 true, label %return
  ]

if.end5:                                          ; preds = %cleanup, %entry
  call void @add(ptr %p, i32 16, ptr nonnull %part.addr, ptr %file, i32 %at)
  br label %return

return:                                           ; preds = %if.end5, %cleanup
  ret void

unreachable:                                      ; preds = %cleanup
  unreachable
}

define internal ptr @line_of(ptr %p) #0 {
entry:
  %call = call ptr @known(ptr %p)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cond.false, label %cond.end

cond.false:                                       ; preds = %entry
  %call1 = call ptr @make(ptr %p)
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.false
  %cond = phi ptr [ %call1, %cond.false ], [ %call, %entry ]
  ret ptr %cond
}

define internal void @sum(ptr %p, i32 %kind, ptr %part) #0 {
entry:
  switch i32 %kind, label %if.else6 [
    i32 16, label %if.then
    i32 32, label %if.then2
  ]

if.then:                                          ; preds = %entry
  %a.0.copyload = load double, ptr %p, align 1
  %b.0.copyload = load double, ptr %part, align 1
  %add = fadd double %a.0.copyload, %b.0.copyload
  store double %add, ptr %p, align 1
  br label %if.end10

if.then2:                                         ; preds = %entry
  %a3.0.copyload = load float, ptr %p, align 1
  %b4.0.copyload = load float, ptr %part, align 1
  %add5 = fadd float %a3.0.copyload, %b4.0.copyload
  store float %add5, ptr %p, align 1
  br label %if.end10

if.else6:                                         ; preds = %entry
  %a7.0.copyload = load x86_fp80, ptr %p, align 1
  %b8.0.copyload = load x86_fp80, ptr %part, align 1
  %add9 = fadd x86_fp80 %a7.0.copyload, %b8.0.copyload
  store x86_fp80 %add9, ptr %p, align 1
  br label %if.end10

if.end10:                                         ; preds = %if.then2, %if.else6, %if.then
  ret void
}

define double @em.kinds.take.double(ptr %p, ptr %file, i32 %at) #0 {
entry:
  %part = alloca double, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %part) #8
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 7
  %cmp = icmp ne i64 %rem, 0
  %1 = load i64, ptr @waiting, align 8
  %tobool = icmp ne i64 %1, 0
  %or.cond = select i1 %cmp, i1 true, i1 %tobool
  %2 = load i64, ptr @stained, align 8
  %tobool2 = icmp ne i64 %2, 0
  %or.cond12 = select i1 %or.cond, i1 true, i1 %tobool2
  br i1 %or.cond12, label %if.end14, label %if.then

if.then:                                          ; preds = %entry
  %call = call ptr @known(ptr %p)
  %tobool3.not = icmp eq ptr %call, null
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 8
  %rem4 = and i64 %0, 56
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark, i64 %rem4
  br i1 %tobool3.not, label %if.end.critedge, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %if.then
  %3 = load i64, ptr %arrayidx, align 1, !tbaa !20
  switch i64 %3, label %cleanup [
    i64 0, label %if.then9
    i64 1663540288323457296, label %if.then9
  ]

if.then9:                                         ; preds = %lor.lhs.false, %lor.lhs.false
  %4 = load i64, ptr %p, align 1
  store i64 %4, ptr %part, align 8
  call void @put(ptr nonnull %p, ptr null, i32 8)
  store i64 0, ptr %arrayidx, align 1, !tbaa !20
  br label %if.end

if.end.critedge:                                  ; preds = %if.then
  %5 = load i64, ptr %p, align 1
  store i64 %5, ptr %part, align 8
  call void @put(ptr nonnull %p, ptr null, i32 8)
  br label %if.end

if.end:                                           ; preds = %if.end.critedge, %if.then9
  %6 = load double, ptr %part, align 8, !tbaa !24
  br label %cleanup

cleanup:                                          ; preds = %lor.lhs.false, %if.end
  %retval.0 = phi double [ %6, %if.end ], [ undef, %lor.lhs.false ]
  %cond11 = phi i1 [ false, %if.end ], [ true, %lor.lhs.false ]
  br i1 %cond11, label %if.end14, label %cleanup15

if.end14:                                         ; preds = %cleanup, %entry
  call void @take(ptr %p, i32 16, ptr nonnull %part, ptr %file, i32 %at)
  %7 = load double, ptr %part, align 8, !tbaa !24
  br label %cleanup15

cleanup15:                                        ; preds = %cleanup, %if.end14
  %retval.1 = phi double [ %7, %if.end14 ], [ %retval.0, %cleanup ]
  call void @llvm.lifetime.end.p0(ptr nonnull %part) #8
  ret double %retval.1
}

define internal ptr @known(ptr %p) #0 {
entry:
  %0 = load i64, ptr @room, align 8, !tbaa !13
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %1 = load ptr, ptr @slots, align 8, !tbaa !10
  %2 = ptrtoint ptr %p to i64
  %div1 = lshr i64 %2, 6
  %call = call i64 @place(i64 %div1)
  %arrayidx = getelementptr inbounds nuw ptr, ptr %1, i64 %call
  %3 = load ptr, ptr %arrayidx, align 8, !tbaa !26
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi ptr [ %3, %cond.true ], [ null, %entry ]
  ret ptr %cond
}

define internal void @put(ptr %p, ptr %bits, i32 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %cond.end, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %cond.end ]
  %cmp = icmp slt i32 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %tobool.not = icmp eq ptr %bits, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %for.body
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %bits, i64 %idxprom
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !20
  br label %cond.end

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi i8 [ %0, %cond.true ], [ 0, %for.body ]
  %idxprom2 = zext nneg i32 %k.0 to i64
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %p, i64 %idxprom2
  store i8 %cond, ptr %arrayidx3, align 1, !tbaa !20
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !28

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.fresh(ptr %p, i64 %n) #0 {
entry:
  %tobool = icmp ne ptr %p, null
  %0 = load i64, ptr @room, align 8
  %tobool1 = icmp ne i64 %0, 0
  %or.cond = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %or.cond, label %for.cond, label %for.end39

for.cond:                                         ; preds = %for.cond8, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %cond, %for.cond8 ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end39

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call ptr @known(ptr nonnull %add.ptr)
  %add = add i64 %k.0, 64
  %1 = ptrtoint ptr %add.ptr to i64
  %rem = and i64 %1, 63
  %sub = sub i64 %add, %rem
  %cond = call i64 @llvm.umin.i64(i64 %sub, i64 %n)
  br label %for.cond8

for.cond8:                                        ; preds = %for.body11, %for.body
  %k.1 = phi i64 [ %k.0, %for.body ], [ %inc, %for.body11 ]
  %tobool9 = icmp ne ptr %call, null
  %cmp10 = icmp ult i64 %k.1, %cond
  %spec.select = select i1 %tobool9, i1 %cmp10, i1 false
  br i1 %spec.select, label %for.body11, label %for.cond, !llvm.loop !29

for.body11:                                       ; preds = %for.cond8
  %waits = getelementptr inbounds nuw i8, ptr %call, i64 72
  %add.ptr12 = getelementptr inbounds nuw i8, ptr %p, i64 %k.1
  %2 = ptrtoint ptr %add.ptr12 to i64
  %rem13 = and i64 %2, 63
  %arrayidx = getelementptr inbounds nuw i8, ptr %waits, i64 %rem13
  %3 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %tobool14.not = icmp ne i8 %3, 0
  %conv.neg = sext i1 %tobool14.not to i64
  %4 = load i64, ptr @waiting, align 8, !tbaa !13
  %sub16 = add i64 %4, %conv.neg
  store i64 %sub16, ptr @waiting, align 8, !tbaa !13
  %stain = getelementptr inbounds nuw i8, ptr %call, i64 200
  %arrayidx19 = getelementptr inbounds nuw i8, ptr %stain, i64 %rem13
  %5 = load i8, ptr %arrayidx19, align 1, !tbaa !20
  %tobool20.not = icmp ne i8 %5, 0
  %conv25.neg = sext i1 %tobool20.not to i64
  %6 = load i64, ptr @stained, align 8, !tbaa !13
  %sub26 = add i64 %6, %conv25.neg
  store i64 %sub26, ptr @stained, align 8, !tbaa !13
  store i8 0, ptr %arrayidx19, align 1, !tbaa !20
  store i8 0, ptr %arrayidx, align 1, !tbaa !20
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 8
  %arrayidx37 = getelementptr inbounds nuw i8, ptr %mark, i64 %rem13
  store i8 0, ptr %arrayidx37, align 1, !tbaa !20
  %inc = add i64 %k.1, 1
  br label %for.cond8, !llvm.loop !30

for.end39:                                        ; preds = %for.cond, %entry
  ret void
}

define void @em.kinds.note(ptr %p, i64 %n, i64 %period, i64 %offset, i32 %kind) #0 {
entry:
  %call = call i32 @width(i32 %kind)
  br label %for.cond

for.cond:                                         ; preds = %for.inc16, %entry
  %at.0 = phi i64 [ %offset, %entry ], [ %add17, %for.inc16 ]
  %conv = sext i32 %call to i64
  %add = add i64 %at.0, %conv
  %cmp.not = icmp ugt i64 %add, %n
  br i1 %cmp.not, label %for.end18, label %for.cond2

for.cond2:                                        ; preds = %for.cond, %for.body6
  %bits.0 = phi i32 [ %or, %for.body6 ], [ 0, %for.cond ]
  %marks.0 = phi i32 [ %or13, %for.body6 ], [ 0, %for.cond ]
  %k.0 = phi i32 [ %inc, %for.body6 ], [ 0, %for.cond ]
  %cmp3 = icmp slt i32 %k.0, %call
  br i1 %cmp3, label %for.body6, label %for.end

for.body6:                                        ; preds = %for.cond2
  %conv7 = zext nneg i32 %k.0 to i64
  %0 = getelementptr i8, ptr %p, i64 %at.0
  %arrayidx = getelementptr i8, ptr %0, i64 %conv7
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %conv9 = zext i8 %1 to i32
  %or = or i32 %bits.0, %conv9
  %call11 = call zeroext i8 @mark_of(ptr nonnull %arrayidx)
  %conv12 = zext i8 %call11 to i32
  %or13 = or i32 %marks.0, %conv12
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond2, !llvm.loop !31

for.end:                                          ; preds = %for.cond2
  %tobool = icmp eq i32 %bits.0, 0
  %tobool14 = icmp ne i32 %marks.0, 0
  %or.cond = select i1 %tobool, i1 true, i1 %tobool14
  br i1 %or.cond, label %for.inc16, label %if.then

if.then:                                          ; preds = %for.end
  %add.ptr15 = getelementptr inbounds nuw i8, ptr %p, i64 %at.0
  call void @mark_all(ptr %add.ptr15, i32 %kind, i32 %call)
  br label %for.inc16

for.inc16:                                        ; preds = %for.end, %if.then
  %add17 = add i64 %at.0, %period
  br label %for.cond, !llvm.loop !32

for.end18:                                        ; preds = %for.cond
  ret void
}

define internal i32 @width(i32 %kind) #0 {
entry:
  %cmp = icmp eq i32 %kind, 32
  %cmp1 = icmp eq i32 %kind, 48
  %cond = select i1 %cmp1, i32 10, i32 8
  %cond2 = select i1 %cmp, i32 4, i32 %cond
  ret i32 %cond2
}

define internal zeroext i8 @mark_of(ptr %p) #0 {
entry:
  %call = call ptr @known(ptr %p)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 8
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 63
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark, i64 %rem
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !20
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i8 [ %1, %cond.true ], [ 0, %entry ]
  ret i8 %cond
}

define internal void @mark_all(ptr %p, i32 %kind, i32 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.body ]
  %cmp = icmp slt i32 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %tobool.not = icmp eq i32 %kind, 0
  %add = add nsw i32 %kind, %k.0
  %cond = select i1 %tobool.not, i32 0, i32 %add
  call void @set_mark(ptr %add.ptr, i32 %cond)
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !33

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.move(ptr %target, ptr %origin, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %bits = alloca [16 x i8], align 16
  %marks = alloca [16 x i8], align 16
  %cmp = icmp ne ptr %target, %origin
  %tobool = icmp ne i64 %n, 0
  %or.cond = select i1 %cmp, i1 %tobool, i1 false
  br i1 %or.cond, label %if.end, label %cleanup.cont48

if.end:                                           ; preds = %entry
  call void @move_stains(ptr %target, ptr %origin, i64 %n)
  %add.ptr = getelementptr inbounds nuw i8, ptr %origin, i64 %n
  %cmp1 = icmp ult ptr %target, %add.ptr
  %add.ptr2 = getelementptr inbounds nuw i8, ptr %target, i64 %n
  %cmp3 = icmp ult ptr %origin, %add.ptr2
  %or.cond67 = select i1 %cmp1, i1 %cmp3, i1 false
  br i1 %or.cond67, label %if.then4, label %if.end10

if.then4:                                         ; preds = %if.end
  %mul = shl i64 %n, 1
  %call = call ptr @malloc(i64 %mul) #9
  %tobool5.not = icmp eq ptr %call, null
  br i1 %tobool5.not, label %if.then6, label %if.end7

if.then6:                                         ; preds = %if.then4
  call void @fail(ptr nonnull @.str, ptr %file, i32 %at)
  br label %if.end7

if.end7:                                          ; preds = %if.then6, %if.then4
  %add.ptr8 = getelementptr inbounds nuw i8, ptr %call, i64 %n
  call void @take_out(ptr %target, ptr %call, ptr nonnull %add.ptr8, i64 %n, ptr %file, i32 %at)
  call void @give(ptr %origin, ptr %call, ptr nonnull %add.ptr8, i64 %n, ptr %file, i32 %at)
  call void @free(ptr %call) #8
  br label %cleanup.cont48

if.end10:                                         ; preds = %if.end
  call void @llvm.lifetime.start.p0(ptr nonnull %bits) #8
  call void @llvm.lifetime.start.p0(ptr nonnull %marks) #8
  br label %for.cond

for.cond:                                         ; preds = %cleanup, %if.end10
  %k.0 = phi i64 [ 0, %if.end10 ], [ %k.1, %cleanup ]
  %cmp11 = icmp ult i64 %k.0, %n
  br i1 %cmp11, label %for.body, label %cleanup43

for.body:                                         ; preds = %for.cond
  %add.ptr12 = getelementptr inbounds nuw i8, ptr %target, i64 %k.0
  %sub = sub nuw i64 %n, %k.0
  %call13 = call i64 @blank(ptr %add.ptr12, i64 %sub)
  %add = add i64 %k.0, %call13
  %cmp14.not = icmp ult i64 %add, %n
  br i1 %cmp14.not, label %if.end16, label %cleanup43

if.end16:                                         ; preds = %for.body
  %add17 = add i64 %add, 8
  %cmp18.not = icmp ugt i64 %add17, %n
  br i1 %cmp18.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %if.end16
  %add.ptr19 = getelementptr inbounds nuw i8, ptr %target, i64 %add
  %call20 = call i64 @marks_of(ptr %add.ptr19)
  br label %cond.end

cond.end:                                         ; preds = %if.end16, %cond.true
  %cond = phi i64 [ %call20, %cond.true ], [ 0, %if.end16 ]
  switch i64 %cond, label %if.end31 [
    i64 5135868584551137600, label %cleanup
    i64 1663540288323457296, label %if.then26
  ], !llvm.loop !34

if.then26:                                        ; preds = %cond.end
  %add.ptr27 = getelementptr inbounds nuw i8, ptr %target, i64 %add
  %call28 = call double @em.kinds.take.double(ptr %add.ptr27, ptr %file, i32 %at)
  %add.ptr29 = getelementptr inbounds nuw i8, ptr %origin, i64 %add
  call void @em.kinds.add.double(ptr %add.ptr29, double %call28, ptr %file, i32 %at)
  br label %cleanup

if.end31:                                         ; preds = %cond.end
  %add.ptr32 = getelementptr inbounds nuw i8, ptr %target, i64 %add
  %sub33 = sub i64 %n, %add
  %call34 = call i32 @unit(ptr %add.ptr32, i64 %sub33)
  %conv = sext i32 %call34 to i64
  call void @take_out(ptr %add.ptr32, ptr nonnull %bits, ptr nonnull %marks, i64 %conv, ptr %file, i32 %at)
  %add.ptr37 = getelementptr inbounds nuw i8, ptr %origin, i64 %add
  call void @give(ptr %add.ptr37, ptr nonnull %bits, ptr nonnull %marks, i64 %conv, ptr %file, i32 %at)
  %add42 = add i64 %add, %conv
  br label %cleanup

cleanup:                                          ; preds = %cond.end, %if.end31, %if.then26
  %k.1 = phi i64 [ %add42, %if.end31 ], [ %add17, %if.then26 ], [ %add17, %cond.end ]
  br label %for.cond

cleanup43:                                        ; preds = %for.body, %for.cond
  call void @llvm.lifetime.end.p0(ptr nonnull %marks) #8
  call void @llvm.lifetime.end.p0(ptr nonnull %bits) #8
  br label %cleanup.cont48

cleanup.cont48:                                   ; preds = %entry, %cleanup43, %if.end7
  ret void
}

define internal void @move_stains(ptr %target, ptr %origin, i64 %n) #0 {
entry:
  %cmp = icmp ult ptr %target, %origin
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %j.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %0 = load i64, ptr @stained, align 8, !tbaa !13
  %tobool = icmp ne i64 %0, 0
  %cmp1 = icmp ult i64 %j.0, %n
  %spec.select = select i1 %tobool, i1 %cmp1, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %1 = xor i64 %j.0, -1
  %sub4 = add i64 %n, %1
  %cond = select i1 %cmp, i64 %sub4, i64 %j.0
  %add.ptr = getelementptr inbounds nuw i8, ptr %target, i64 %cond
  %call = call i32 @stain_of(ptr %add.ptr)
  %tobool5.not = icmp eq i32 %call, 0
  br i1 %tobool5.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  call void @set_stain(ptr %add.ptr, i32 0)
  %add.ptr7 = getelementptr inbounds nuw i8, ptr %origin, i64 %cond
  call void @set_stain(ptr %add.ptr7, i32 %call)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %j.0, 1
  br label %for.cond, !llvm.loop !35

for.end:                                          ; preds = %for.cond
  ret void
}

declare ptr @malloc(i64) #4

define internal void @fail(ptr %text, ptr %file, i32 %line) #0 {
entry:
  call void @em.run.bytes(ptr %text, ptr %file, i32 %line) #10
  unreachable
}

define internal void @take_out(ptr %p, ptr %bits, ptr %marks, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %conv = trunc i64 %n to i32
  call void @none_waits(ptr %p, i32 %conv, ptr %file, i32 %at)
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call zeroext i8 @mark_of(ptr %add.ptr)
  %tobool.not = icmp eq i8 %call, 0
  br i1 %tobool.not, label %land.lhs.true, label %if.end

land.lhs.true:                                    ; preds = %for.body
  %0 = load i8, ptr %add.ptr, align 1, !tbaa !20
  %tobool4.not = icmp eq i8 %0, 0
  br i1 %tobool4.not, label %if.end, label %if.then

if.then:                                          ; preds = %land.lhs.true
  call void @fail(ptr nonnull @.str.1, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %for.body
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %marks, i64 %k.0
  store i8 %call, ptr %arrayidx6, align 1, !tbaa !20
  %1 = load i8, ptr %add.ptr, align 1, !tbaa !20
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %bits, i64 %k.0
  store i8 %1, ptr %arrayidx8, align 1, !tbaa !20
  %tobool9 = icmp ne i8 %call, 0
  %2 = and i8 %call, -16
  %cmp11 = icmp ne i8 %2, 64
  %or.cond = and i1 %tobool9, %cmp11
  br i1 %or.cond, label %if.then13, label %for.inc

if.then13:                                        ; preds = %if.end
  store i8 0, ptr %add.ptr, align 1, !tbaa !20
  call void @set_mark(ptr nonnull %add.ptr, i32 0)
  br label %for.inc

for.inc:                                          ; preds = %if.end, %if.then13
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !36

for.end:                                          ; preds = %for.cond
  ret void
}

define internal void @give(ptr %to, ptr %bits, ptr %marks, i64 %n, ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %if.end40, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %k.1, %if.end40 ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end41

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr i8, ptr %marks, i64 %k.0
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %1 = and i8 %0, -16
  %and = zext i8 %1 to i32
  %call = call i32 @width(i32 %and)
  %tobool.not = icmp eq i8 %1, 0
  br i1 %tobool.not, label %land.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %3 = and i8 %2, 15
  %cmp4 = icmp eq i8 %3, 0
  br i1 %cmp4, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %land.lhs.true
  %conv6 = sext i32 %call to i64
  %add = add i64 %k.0, %conv6
  %cmp7 = icmp ule i64 %add, %n
  br label %land.end

land.end:                                         ; preds = %land.rhs, %land.lhs.true, %for.body
  %land.ext = phi i1 [ false, %land.lhs.true ], [ false, %for.body ], [ %cmp7, %land.rhs ]
  br label %for.cond9

for.cond9:                                        ; preds = %for.body17, %land.end
  %whole.0 = phi i1 [ %land.ext, %land.end ], [ %cmp23, %for.body17 ]
  %part.0 = phi i32 [ 0, %land.end ], [ %inc, %for.body17 ]
  %cmp12 = icmp slt i32 %part.0, %call
  %spec.select = select i1 %whole.0, i1 %cmp12, i1 false
  br i1 %spec.select, label %for.body17, label %for.end

for.body17:                                       ; preds = %for.cond9
  %conv18 = zext nneg i32 %part.0 to i64
  %arrayidx20 = getelementptr i8, ptr %arrayidx, i64 %conv18
  %4 = load i8, ptr %arrayidx20, align 1, !tbaa !20
  %conv21 = zext i8 %4 to i32
  %add22 = add nuw nsw i32 %part.0, %and
  %cmp23 = icmp eq i32 %add22, %conv21
  %inc = add nuw nsw i32 %part.0, 1
  br label %for.cond9, !llvm.loop !37

for.end:                                          ; preds = %for.cond9
  switch i8 %1, label %if.else [
    i8 64, label %if.then
    i8 0, label %if.then
  ]

if.then:                                          ; preds = %for.end, %for.end
  %inc28 = add i64 %k.0, 1
  br label %if.end40

if.else:                                          ; preds = %for.end
  br i1 %whole.0, label %if.then30, label %if.else34

if.then30:                                        ; preds = %if.else
  %add.ptr = getelementptr inbounds nuw i8, ptr %to, i64 %k.0
  %add.ptr31 = getelementptr inbounds nuw i8, ptr %bits, i64 %k.0
  call void @add(ptr %add.ptr, i32 %and, ptr %add.ptr31, ptr %file, i32 %at)
  %conv32 = sext i32 %call to i64
  %add33 = add i64 %k.0, %conv32
  br label %if.end40

if.else34:                                        ; preds = %if.else
  %add.ptr35 = getelementptr inbounds nuw i8, ptr %to, i64 %k.0
  %5 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %conv37 = zext i8 %5 to i32
  %arrayidx38 = getelementptr inbounds nuw i8, ptr %bits, i64 %k.0
  %6 = load i8, ptr %arrayidx38, align 1, !tbaa !20
  call void @arrive(ptr %add.ptr35, i32 %conv37, i8 zeroext %6, ptr %file, i32 %at)
  %inc39 = add i64 %k.0, 1
  br label %if.end40

if.end40:                                         ; preds = %if.then30, %if.else34, %if.then
  %k.1 = phi i64 [ %inc28, %if.then ], [ %add33, %if.then30 ], [ %inc39, %if.else34 ]
  br label %for.cond, !llvm.loop !38

for.end41:                                        ; preds = %for.cond
  ret void
}

define internal i64 @blank(ptr %p, i64 %n) #0 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %land.rhs, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %add, %land.rhs ]
  %add = add i64 %k.0, 8
  %cmp.not = icmp ugt i64 %add, %n
  br i1 %cmp.not, label %while.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %while.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %0 = load i64, ptr %add.ptr, align 1, !tbaa !20
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %land.rhs, label %while.end

land.rhs:                                         ; preds = %land.lhs.true
  %call = call i64 @marks_of(ptr nonnull %add.ptr)
  %tobool2.not = icmp eq i64 %call, 0
  br i1 %tobool2.not, label %while.cond, label %while.end, !llvm.loop !39

while.end:                                        ; preds = %land.lhs.true, %while.cond, %land.rhs
  ret i64 %k.0
}

define internal i64 @marks_of(ptr %p) #0 {
entry:
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 7
  %cmp = icmp eq i64 %rem, 0
  br i1 %cmp, label %if.then, label %for.cond

if.then:                                          ; preds = %entry
  %call = call ptr @known(ptr %p)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cleanup, label %cond.true

cond.true:                                        ; preds = %if.then
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 8
  %rem1 = and i64 %0, 56
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark, i64 %rem1
  %1 = load i64, ptr %arrayidx, align 1, !tbaa !20
  br label %cleanup

for.cond:                                         ; preds = %entry, %for.body
  %found.0 = phi i64 [ %or, %for.body ], [ 0, %entry ]
  %k.0 = phi i32 [ %inc, %for.body ], [ 0, %entry ]
  %cmp2 = icmp samesign ult i32 %k.0, 8
  br i1 %cmp2, label %for.body, label %cleanup

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call3 = call zeroext i8 @mark_of(ptr %add.ptr)
  %conv = zext i8 %call3 to i64
  %mul = shl nuw nsw i32 %k.0, 3
  %sh_prom = zext nneg i32 %mul to i64
  %shl = shl nuw i64 %conv, %sh_prom
  %or = or i64 %found.0, %shl
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !40

cleanup:                                          ; preds = %for.cond, %cond.true, %if.then
  %retval.0 = phi i64 [ 0, %if.then ], [ %1, %cond.true ], [ %found.0, %for.cond ]
  ret i64 %retval.0
}

define internal i32 @unit(ptr %p, i64 %n) #0 {
entry:
  %call = call zeroext i8 @mark_of(ptr %p)
  %0 = and i8 %call, -16
  %and = zext i8 %0 to i32
  %call1 = call i32 @width(i32 %and)
  %tobool = icmp eq i8 %0, 0
  %conv2 = sext i32 %call1 to i64
  %cmp = icmp ult i64 %n, %conv2
  %or.cond = select i1 %tobool, i1 true, i1 %cmp
  br i1 %or.cond, label %cleanup12, label %for.cond

for.cond:                                         ; preds = %entry, %for.inc
  %k.0 = phi i32 [ %inc, %for.inc ], [ 0, %entry ]
  %cmp4.not = icmp slt i32 %k.0, %call1
  br i1 %cmp4.not, label %for.body, label %cleanup12

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call6 = call zeroext i8 @mark_of(ptr %add.ptr)
  %conv7 = zext i8 %call6 to i32
  %add = add nuw nsw i32 %k.0, %and
  %cmp8.not = icmp eq i32 %add, %conv7
  br i1 %cmp8.not, label %for.inc, label %cleanup12

for.inc:                                          ; preds = %for.body
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !41

cleanup12:                                        ; preds = %for.cond, %for.body, %entry
  %retval.0 = phi i32 [ 1, %entry ], [ %call1, %for.cond ], [ 1, %for.body ]
  ret i32 %retval.0
}

define void @em.kinds.clear(ptr %p, i64 %n, ptr %file, i32 %at) #0 {
entry:
  call void @wash_all(ptr %p, i64 %n)
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %rem = and i64 %k.0, 7
  %cmp1 = icmp eq i64 %rem, 0
  br i1 %cmp1, label %if.then, label %if.end

if.then:                                          ; preds = %for.body
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %sub = sub i64 %n, %k.0
  %call = call i64 @blank(ptr %add.ptr, i64 %sub)
  %add = add i64 %k.0, %call
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body
  %k.1 = phi i64 [ %add, %if.then ], [ %k.0, %for.body ]
  %cmp2.not = icmp ult i64 %k.1, %n
  br i1 %cmp2.not, label %if.end4, label %for.end

if.end4:                                          ; preds = %if.end
  %add.ptr5 = getelementptr inbounds nuw i8, ptr %p, i64 %k.1
  %call6 = call ptr @known(ptr %add.ptr5)
  %call8 = call zeroext i8 @mark_of(ptr %add.ptr5)
  %cond = icmp eq i8 %call8, 0
  br i1 %cond, label %land.lhs.true, label %land.lhs.true14

land.lhs.true:                                    ; preds = %if.end4
  %0 = load i8, ptr %add.ptr5, align 1, !tbaa !20
  %tobool10.not = icmp eq i8 %0, 0
  br i1 %tobool10.not, label %if.end20, label %if.then11

if.then11:                                        ; preds = %land.lhs.true
  call void @fail(ptr nonnull @.str.1, ptr %file, i32 %at)
  br label %if.end20

land.lhs.true14:                                  ; preds = %if.end4
  %1 = and i8 %call8, -16
  %cmp15.old.not = icmp eq i8 %1, 64
  br i1 %cmp15.old.not, label %if.end20, label %if.then17

if.then17:                                        ; preds = %land.lhs.true14
  store i8 0, ptr %add.ptr5, align 1, !tbaa !20
  call void @set_mark(ptr nonnull %add.ptr5, i32 0)
  br label %if.end20

if.end20:                                         ; preds = %land.lhs.true, %if.then11, %if.then17, %land.lhs.true14
  %tobool21.not = icmp eq ptr %call6, null
  br i1 %tobool21.not, label %for.inc, label %land.lhs.true22

land.lhs.true22:                                  ; preds = %if.end20
  %waits = getelementptr inbounds nuw i8, ptr %call6, i64 72
  %2 = ptrtoint ptr %add.ptr5 to i64
  %rem24 = and i64 %2, 63
  %arrayidx25 = getelementptr inbounds nuw i8, ptr %waits, i64 %rem24
  %3 = load i8, ptr %arrayidx25, align 1, !tbaa !20
  %tobool27.not = icmp eq i8 %3, 0
  br i1 %tobool27.not, label %for.inc, label %if.then28

if.then28:                                        ; preds = %land.lhs.true22
  store i8 0, ptr %arrayidx25, align 1, !tbaa !20
  %4 = load i64, ptr @waiting, align 8, !tbaa !13
  %dec = add i64 %4, -1
  store i64 %dec, ptr @waiting, align 8, !tbaa !13
  br label %for.inc

for.inc:                                          ; preds = %if.end20, %land.lhs.true22, %if.then28
  %inc = add i64 %k.1, 1
  br label %for.cond, !llvm.loop !42

for.end:                                          ; preds = %for.cond, %if.end
  ret void
}

define internal void @wash_all(ptr %p, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %0 = load i64, ptr @stained, align 8, !tbaa !13
  %tobool = icmp ne i64 %0, 0
  %cmp = icmp ult i64 %k.0, %n
  %spec.select = select i1 %tobool, i1 %cmp, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  call void @set_stain(ptr %add.ptr, i32 0)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !43

for.end:                                          ; preds = %for.cond
  ret void
}

define internal void @set_mark(ptr %p, i32 %mark) #0 {
entry:
  %tobool.not = icmp eq i32 %mark, 0
  br i1 %tobool.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %entry
  %call = call ptr @line_of(ptr %p)
  br label %cond.end

cond.false:                                       ; preds = %entry
  %call1 = call ptr @known(ptr %p)
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %call, %cond.true ], [ %call1, %cond.false ]
  %tobool2.not = icmp eq ptr %cond, null
  br i1 %tobool2.not, label %if.end, label %if.then

if.then:                                          ; preds = %cond.end
  %conv = trunc i32 %mark to i8
  %mark3 = getelementptr inbounds nuw i8, ptr %cond, i64 8
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 63
  %arrayidx = getelementptr inbounds nuw i8, ptr %mark3, i64 %rem
  store i8 %conv, ptr %arrayidx, align 1, !tbaa !20
  br label %if.end

if.end:                                           ; preds = %if.then, %cond.end
  ret void
}

define void @em.kinds.point(ptr %p, ptr %shadow, ptr %file, i32 %at) #0 {
entry:
  %call = call i64 @marks_of(ptr %p)
  %cmp.not = icmp eq i64 %call, 5135868584551137600
  br i1 %cmp.not, label %if.end3, label %if.then

if.then:                                          ; preds = %entry
  %call1 = call i32 @holds_adjoint(ptr %p, i32 8)
  %tobool.not = icmp eq i32 %call1, 0
  br i1 %tobool.not, label %if.end, label %if.then2

if.then2:                                         ; preds = %if.then
  call void @fail(ptr nonnull @.str.2, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then2, %if.then
  call void @mark_all(ptr %p, i32 64, i32 8)
  br label %if.end3

if.end3:                                          ; preds = %if.end, %entry
  store ptr %shadow, ptr %p, align 1
  ret void
}

define internal i32 @holds_adjoint(ptr %p, i32 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %if.end, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %if.end ]
  %cmp.not = icmp slt i32 %k.0, %n
  br i1 %cmp.not, label %for.body, label %cleanup6

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call = call zeroext i8 @mark_of(ptr %add.ptr)
  %tobool = icmp ne i8 %call, 0
  %0 = and i8 %call, -16
  %cmp1 = icmp ne i8 %0, 64
  %or.cond = and i1 %tobool, %cmp1
  br i1 %or.cond, label %land.lhs.true3, label %if.end

land.lhs.true3:                                   ; preds = %for.body
  %1 = load i8, ptr %add.ptr, align 1, !tbaa !20
  %tobool5.not = icmp eq i8 %1, 0
  br i1 %tobool5.not, label %if.end, label %cleanup6

if.end:                                           ; preds = %land.lhs.true3, %for.body
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !44

cleanup6:                                         ; preds = %land.lhs.true3, %for.cond
  %switch.select = zext i1 %cmp.not to i32
  ret i32 %switch.select
}

define void @em.kinds.copy_pointers(ptr %target, ptr %origin, i64 %n, ptr %file, i32 %at) #0 {
entry:
  %cmp = icmp eq ptr %target, %origin
  br i1 %cmp, label %if.end32, label %if.end

if.end:                                           ; preds = %entry
  %cmp1 = icmp ult ptr %target, %origin
  %add.ptr = getelementptr inbounds nuw i8, ptr %origin, i64 %n
  %cmp2 = icmp uge ptr %target, %add.ptr
  %or.cond = select i1 %cmp1, i1 true, i1 %cmp2
  br i1 %or.cond, label %for.cond, label %for.cond21

for.cond:                                         ; preds = %if.end, %for.inc
  %k.0 = phi i64 [ %inc, %for.inc ], [ 0, %if.end ]
  %cmp4 = icmp ult i64 %k.0, %n
  br i1 %cmp4, label %for.body, label %if.end32

for.body:                                         ; preds = %for.cond
  %add = add i64 %k.0, 8
  %cmp5.not = icmp ugt i64 %add, %n
  br i1 %cmp5.not, label %if.end16, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %add.ptr6 = getelementptr inbounds nuw i8, ptr %origin, i64 %k.0
  %0 = load i64, ptr %add.ptr6, align 1, !tbaa !20
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %land.lhs.true7, label %if.end16

land.lhs.true7:                                   ; preds = %land.lhs.true
  %call = call i64 @marks_of(ptr nonnull %add.ptr6)
  %tobool9.not = icmp eq i64 %call, 0
  br i1 %tobool9.not, label %land.lhs.true10, label %if.end16

land.lhs.true10:                                  ; preds = %land.lhs.true7
  %add.ptr11 = getelementptr inbounds nuw i8, ptr %target, i64 %k.0
  %call12 = call i64 @marks_of(ptr %add.ptr11)
  %tobool13.not = icmp eq i64 %call12, 0
  br i1 %tobool13.not, label %if.then14, label %if.end16

if.then14:                                        ; preds = %land.lhs.true10
  %add15 = add i64 %k.0, 7
  br label %for.inc

if.end16:                                         ; preds = %land.lhs.true10, %land.lhs.true7, %land.lhs.true, %for.body
  %add.ptr17 = getelementptr inbounds nuw i8, ptr %target, i64 %k.0
  %add.ptr18 = getelementptr inbounds nuw i8, ptr %origin, i64 %k.0
  %call19 = call zeroext i8 @mark_of(ptr %add.ptr18)
  %conv = zext i8 %call19 to i32
  %1 = load i8, ptr %add.ptr18, align 1, !tbaa !20
  call void @copy_byte(ptr %add.ptr17, i32 %conv, i8 zeroext %1, ptr %file, i32 %at)
  br label %for.inc

for.inc:                                          ; preds = %if.end16, %if.then14
  %k.1 = phi i64 [ %k.0, %if.end16 ], [ %add15, %if.then14 ]
  %inc = add i64 %k.1, 1
  br label %for.cond, !llvm.loop !45

for.cond21:                                       ; preds = %if.end, %for.body25
  %k20.0 = phi i64 [ %dec, %for.body25 ], [ %n, %if.end ]
  %cmp22.not = icmp eq i64 %k20.0, 0
  br i1 %cmp22.not, label %if.end32, label %for.body25

for.body25:                                       ; preds = %for.cond21
  %dec = add i64 %k20.0, -1
  %add.ptr26 = getelementptr inbounds nuw i8, ptr %target, i64 %dec
  %add.ptr27 = getelementptr inbounds nuw i8, ptr %origin, i64 %dec
  %call28 = call zeroext i8 @mark_of(ptr %add.ptr27)
  %conv29 = zext i8 %call28 to i32
  %2 = load i8, ptr %add.ptr27, align 1, !tbaa !20
  call void @copy_byte(ptr %add.ptr26, i32 %conv29, i8 zeroext %2, ptr %file, i32 %at)
  br label %for.cond21, !llvm.loop !46

if.end32:                                         ; preds = %for.cond21, %for.cond, %entry
  ret void
}

define internal void @copy_byte(ptr %to, i32 %mark, i8 zeroext %bits, ptr %file, i32 %at) #0 {
entry:
  %tobool = icmp eq i32 %mark, 0
  %tobool1 = icmp ne i8 %bits, 0
  %or.cond = select i1 %tobool, i1 %tobool1, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.1, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %call = call zeroext i8 @mark_of(ptr %to)
  %conv2 = zext i8 %call to i32
  %and = and i32 %mark, 240
  %cmp = icmp eq i32 %and, 64
  br i1 %cmp, label %if.then4, label %if.else

if.then4:                                         ; preds = %if.end
  %tobool5.not = icmp eq i8 %call, 0
  br i1 %tobool5.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %if.then4
  %and6 = and i32 %conv2, 240
  %cmp7.not = icmp eq i32 %and6, 64
  br i1 %cmp7.not, label %if.end15, label %land.lhs.true9

land.lhs.true9:                                   ; preds = %cond.true
  %0 = load i8, ptr %to, align 1, !tbaa !20
  %tobool11.not = icmp eq i8 %0, 0
  br i1 %tobool11.not, label %if.end15, label %if.then14

cond.false:                                       ; preds = %if.then4
  %1 = load i8, ptr %to, align 1, !tbaa !20
  %tobool13.not = icmp eq i8 %1, 0
  br i1 %tobool13.not, label %if.end15, label %if.then14

if.then14:                                        ; preds = %cond.false, %land.lhs.true9
  call void @fail(ptr nonnull @.str.2, ptr %file, i32 %at)
  br label %if.end15

if.end15:                                         ; preds = %if.then14, %cond.false, %land.lhs.true9, %cond.true
  store i8 %bits, ptr %to, align 1, !tbaa !20
  call void @set_mark(ptr nonnull %to, i32 %mark)
  br label %if.end21

if.else:                                          ; preds = %if.end
  %and16 = and i32 %conv2, 240
  %cmp17 = icmp eq i32 %and16, 64
  br i1 %cmp17, label %if.then19, label %if.end21

if.then19:                                        ; preds = %if.else
  store i8 0, ptr %to, align 1, !tbaa !20
  call void @set_mark(ptr nonnull %to, i32 0)
  br label %if.end21

if.end21:                                         ; preds = %if.else, %if.then19, %if.end15
  ret void
}

define void @em.kinds.no_pointers(ptr %p, i64 %n, ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call zeroext i8 @mark_of(ptr %add.ptr)
  %0 = and i8 %call, -16
  %cmp1 = icmp eq i8 %0, 64
  br i1 %cmp1, label %if.then, label %for.inc

if.then:                                          ; preds = %for.body
  call void @fail(ptr nonnull @.str.3, ptr %file, i32 %at)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !47

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.copied(ptr %target, ptr %origin, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %origin, i64 %k.0
  %call = call zeroext i8 @mark_of(ptr %add.ptr)
  %tobool.not = icmp eq i8 %call, 0
  br i1 %tobool.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %conv = zext i8 %call to i32
  %add.ptr1 = getelementptr inbounds nuw i8, ptr %target, i64 %k.0
  call void @set_mark(ptr %add.ptr1, i32 %conv)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !48

for.end:                                          ; preds = %for.cond
  ret void
}

define void @em.kinds.stain(ptr %p, i64 %n, i1 zeroext %arrived, ptr %file, i32 %at) #0 {
entry:
  br i1 %arrived, label %for.cond, label %if.end

for.cond:                                         ; preds = %entry, %for.body
  %k.0 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %if.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call i32 @place_of(ptr %file, i32 %at)
  call void @set_stain(ptr %add.ptr, i32 %call)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !49

if.end:                                           ; preds = %for.cond, %entry
  ret void
}

define internal void @set_stain(ptr %p, i32 %place) #0 {
entry:
  %tobool.not = icmp eq i32 %place, 0
  br i1 %tobool.not, label %cond.false, label %cond.true

cond.true:                                        ; preds = %entry
  %call = call ptr @line_of(ptr %p)
  br label %cond.end

cond.false:                                       ; preds = %entry
  %call1 = call ptr @known(ptr %p)
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %call, %cond.true ], [ %call1, %cond.false ]
  %tobool2.not = icmp eq ptr %cond, null
  br i1 %tobool2.not, label %cleanup.cont, label %if.end

if.end:                                           ; preds = %cond.end
  %tobool3.not = icmp ne i32 %place, 0
  %lnot.ext = zext i1 %tobool3.not to i64
  %stain = getelementptr inbounds nuw i8, ptr %cond, i64 200
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 63
  %arrayidx = getelementptr inbounds nuw i8, ptr %stain, i64 %rem
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %tobool5.not = icmp ne i8 %1, 0
  %lnot.ext9.neg = sext i1 %tobool5.not to i64
  %sub = add nsw i64 %lnot.ext9.neg, %lnot.ext
  %2 = load i64, ptr @stained, align 8, !tbaa !13
  %add = add i64 %2, %sub
  store i64 %add, ptr @stained, align 8, !tbaa !13
  %conv10 = trunc i32 %place to i8
  store i8 %conv10, ptr %arrayidx, align 1, !tbaa !20
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.end, %cond.end
  ret void
}

define internal i32 @place_of(ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i32 [ 1, %entry ], [ %inc, %for.inc ]
  %0 = load i32, ptr @known_stains, align 4, !tbaa !18
  %cmp.not = icmp sgt i32 %k.0, %0
  br i1 %cmp.not, label %cleanup, label %for.body

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %k.0 to i64
  %arrayidx = getelementptr inbounds nuw %struct.anon, ptr @stains, i64 %idxprom
  %at1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load i32, ptr %at1, align 8, !tbaa !14
  %cmp2 = icmp eq i32 %1, %at
  br i1 %cmp2, label %land.lhs.true, label %for.inc

land.lhs.true:                                    ; preds = %for.body
  %2 = load ptr, ptr %arrayidx, align 16, !tbaa !19
  %cmp6 = icmp eq ptr %2, %file
  br i1 %cmp6, label %cleanup, label %for.inc

for.inc:                                          ; preds = %for.body, %land.lhs.true
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !50

cleanup:                                          ; preds = %land.lhs.true, %for.cond
  %cleanup.dest.slot.0 = phi i32 [ 2, %for.cond ], [ 1, %land.lhs.true ]
  switch i32 %cleanup.dest.slot.0, label %unreachable [
    i32 2, label %for.end
    i32 1, label %return
  ]

for.end:                                          ; preds = %cleanup
  %cmp7 = icmp slt i32 %0, 255
  br i1 %cmp7, label %if.then8, label %if.end10

if.then8:                                         ; preds = %for.end
  %inc9 = add nsw i32 %0, 1
  store i32 %inc9, ptr @known_stains, align 4, !tbaa !18
  br label %if.end10

if.end10:                                         ; preds = %if.then8, %for.end
  %3 = load i32, ptr @known_stains, align 4, !tbaa !18
  %idxprom11 = sext i32 %3 to i64
  %arrayidx12 = getelementptr inbounds %struct.anon, ptr @stains, i64 %idxprom11
  store ptr %file, ptr %arrayidx12, align 16, !tbaa !19
  %at16 = getelementptr inbounds nuw i8, ptr %arrayidx12, i64 8
  store i32 %at, ptr %at16, align 8, !tbaa !14
  br label %return

return:                                           ; preds = %if.end10, %cleanup
  %retval.1 = phi i32 [ %3, %if.end10 ], [ %k.0, %cleanup ]
  ret i32 %retval.1

unreachable:                                      ; preds = %cleanup
  unreachable
}

define void @em.kinds.pass_stain(ptr %result, i64 %n, ptr %p, i64 %count, ptr %file, i32 %at) #0 {
entry:
  %call = call i32 @stain_in(ptr %result, i64 %n)
  %tobool.not = icmp ne i32 %call, 0
  %lnot.ext = zext i1 %tobool.not to i32
  br label %for.cond

for.cond:                                         ; preds = %land.end, %entry
  %arrived.0 = phi i32 [ %lnot.ext, %entry ], [ %or, %land.end ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %land.end ]
  %cmp = icmp ult i64 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw i8, ptr %result, i64 %k.0
  %0 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %tobool2.not = icmp eq i8 %0, 0
  br i1 %tobool2.not, label %land.end, label %land.rhs

land.rhs:                                         ; preds = %for.body
  %call3 = call zeroext i8 @mark_of(ptr nonnull %arrayidx)
  %1 = and i8 %call3, -16
  %cmp5 = icmp ne i8 %1, 64
  %2 = zext i1 %cmp5 to i32
  br label %land.end

land.end:                                         ; preds = %land.rhs, %for.body
  %land.ext = phi i32 [ 0, %for.body ], [ %2, %land.rhs ]
  %or = or i32 %arrived.0, %land.ext
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !51

for.end:                                          ; preds = %for.cond
  %tobool7.not = icmp eq i32 %arrived.0, 0
  br i1 %tobool7.not, label %if.end, label %for.cond9

for.cond9:                                        ; preds = %for.end, %cond.end
  %k8.0 = phi i64 [ %inc18, %cond.end ], [ 0, %for.end ]
  %cmp10 = icmp ult i64 %k8.0, %count
  br i1 %cmp10, label %for.body13, label %if.end

for.body13:                                       ; preds = %for.cond9
  %add.ptr14 = getelementptr inbounds nuw i8, ptr %p, i64 %k8.0
  %tobool15.not = icmp eq i32 %call, 0
  br i1 %tobool15.not, label %cond.false, label %cond.end

cond.false:                                       ; preds = %for.body13
  %call16 = call i32 @place_of(ptr %file, i32 %at)
  br label %cond.end

cond.end:                                         ; preds = %for.body13, %cond.false
  %cond = phi i32 [ %call16, %cond.false ], [ %call, %for.body13 ]
  call void @set_stain(ptr %add.ptr14, i32 %cond)
  %inc18 = add i64 %k8.0, 1
  br label %for.cond9, !llvm.loop !52

if.end:                                           ; preds = %for.cond9, %for.end
  ret void
}

define internal i32 @stain_in(ptr %p, i64 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %found.0 = phi i32 [ 0, %entry ], [ %call, %for.body ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %0 = load i64, ptr @stained, align 8, !tbaa !13
  %tobool = icmp ne i64 %0, 0
  %tobool1 = icmp eq i32 %found.0, 0
  %or.cond.not5 = select i1 %tobool, i1 %tobool1, i1 false
  %cmp = icmp ult i64 %k.0, %n
  %or.cond4 = select i1 %or.cond.not5, i1 %cmp, i1 false
  br i1 %or.cond4, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %k.0
  %call = call i32 @stain_of(ptr %add.ptr)
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !53

for.end:                                          ; preds = %for.cond
  ret i32 %found.0
}

define void @em.kinds.wash(ptr %p, i64 %n) #0 {
entry:
  call void @wash_all(ptr %p, i64 %n)
  ret void
}

define void @em.kinds.wash_block(ptr %shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %shadow, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %add.ptr = getelementptr inbounds i8, ptr %shadow, i64 -56
  %0 = load i64, ptr %add.ptr, align 8, !tbaa !13
  call void @wash_all(ptr nonnull %shadow, i64 %0)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.none_stained() #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.inc ]
  %0 = load i64, ptr @stained, align 8, !tbaa !13
  %tobool = icmp ne i64 %0, 0
  %1 = load i64, ptr @room, align 8
  %cmp = icmp ult i64 %k.0, %1
  %2 = select i1 %tobool, i1 %cmp, i1 false
  br i1 %2, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %3 = load ptr, ptr @slots, align 8, !tbaa !10
  %arrayidx = getelementptr inbounds nuw ptr, ptr %3, i64 %k.0
  %4 = load ptr, ptr %arrayidx, align 8, !tbaa !26
  %tobool1.not = icmp eq ptr %4, null
  br i1 %tobool1.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %5 = load i64, ptr %4, align 8, !tbaa !54
  %mul = shl i64 %5, 6
  %6 = inttoptr i64 %mul to ptr
  call void @not_stained(ptr %6, i64 64)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !56

for.end:                                          ; preds = %for.cond
  ret void
}

define internal void @not_stained(ptr %p, i64 %n) #0 {
entry:
  %call = call i32 @stain_in(ptr %p, i64 %n)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %idxprom = sext i32 %call to i64
  %arrayidx = getelementptr inbounds %struct.anon, ptr @stains, i64 %idxprom
  %0 = load ptr, ptr %arrayidx, align 16, !tbaa !19
  %at = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %1 = load i32, ptr %at, align 8, !tbaa !14
  call void @fail(ptr nonnull @.str.4, ptr %0, i32 %1)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.are_numbers(i1 zeroext %arrived, ptr %file, i32 %at) #0 {
entry:
  br i1 %arrived, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.4, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.suspect(i1 zeroext %arrived, ptr %file, i32 %at) #0 {
entry:
  %0 = load ptr, ptr @suspected, align 8
  %tobool = icmp eq ptr %0, null
  %or.cond.not = select i1 %arrived, i1 %tobool, i1 false
  br i1 %or.cond.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  store ptr %file, ptr @suspected, align 8, !tbaa !19
  store i32 %at, ptr getelementptr inbounds nuw (i8, ptr @suspected, i64 8), align 8, !tbaa !14
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define void @em.kinds.no_suspect(double %tangent) #0 {
entry:
  %cmp = fcmp uno double %tangent, 0.000000e+00
  %0 = load ptr, ptr @suspected, align 8
  %tobool = icmp ne ptr %0, null
  %or.cond = select i1 %cmp, i1 %tobool, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %1 = load i32, ptr getelementptr inbounds nuw (i8, ptr @suspected, i64 8), align 8, !tbaa !14
  call void @fail(ptr nonnull @.str.4, ptr nonnull %0, i32 %1)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define internal i32 @state(ptr %p, i32 %kind, i32 %n) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %none.0 = phi i32 [ 0, %entry ], [ %add, %for.inc ]
  %own.0 = phi i32 [ 0, %entry ], [ %add4, %for.inc ]
  %other.0 = phi i32 [ 0, %entry ], [ %add11, %for.inc ]
  %bits.0 = phi i32 [ 0, %entry ], [ %bits.1, %for.inc ]
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %cmp = icmp slt i32 %k.0, %n
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call = call zeroext i8 @mark_of(ptr %add.ptr)
  %conv = zext i8 %call to i32
  %tobool.not = icmp eq i8 %call, 0
  %lnot.ext = zext i1 %tobool.not to i32
  %add = add nuw nsw i32 %none.0, %lnot.ext
  %add1 = add nsw i32 %kind, %k.0
  %cmp2 = icmp eq i32 %add1, %conv
  %conv3 = zext i1 %cmp2 to i32
  %add4 = add nuw nsw i32 %own.0, %conv3
  %tobool5 = icmp ne i8 %call, 0
  %cmp7 = icmp ne i32 %add1, %conv
  %or.cond = select i1 %tobool5, i1 %cmp7, i1 false
  %and = and i32 %conv, 240
  %cmp9 = icmp ne i32 %and, 64
  %narrow = and i1 %or.cond, %cmp9
  %land.ext = zext i1 %narrow to i32
  %add11 = add nuw nsw i32 %other.0, %land.ext
  %and12 = and i32 %conv, 240
  %cmp13.not = icmp eq i32 %and12, 64
  br i1 %cmp13.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %0 = load i8, ptr %add.ptr, align 1, !tbaa !20
  %conv15 = zext i8 %0 to i32
  %or = or i32 %bits.0, %conv15
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %bits.1 = phi i32 [ %or, %if.then ], [ %bits.0, %for.body ]
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !57

for.end:                                          ; preds = %for.cond
  %cmp16 = icmp eq i32 %own.0, %n
  br i1 %cmp16, label %cleanup, label %if.end19

if.end19:                                         ; preds = %for.end
  %cmp20 = icmp eq i32 %none.0, %n
  br i1 %cmp20, label %cleanup, label %if.end23

if.end23:                                         ; preds = %if.end19
  %tobool24 = icmp ne i32 %own.0, 0
  %tobool26 = icmp ne i32 %bits.0, 0
  %or.cond21 = select i1 %tobool24, i1 true, i1 %tobool26
  br i1 %or.cond21, label %if.end28, label %cleanup

if.end28:                                         ; preds = %if.end23
  %tobool31.not = icmp eq i32 %other.0, 0
  %1 = select i1 %tobool24, i1 %tobool31.not, i1 false
  %cond = select i1 %1, i32 3, i32 4
  br label %cleanup

cleanup:                                          ; preds = %if.end23, %if.end19, %for.end, %if.end28
  %retval.0 = phi i32 [ 1, %if.end19 ], [ 2, %for.end ], [ %cond, %if.end28 ], [ 0, %if.end23 ]
  ret i32 %retval.0
}

define internal void @wait_for(ptr %p, i32 %mark, i8 zeroext %bits, ptr %file, i32 %at) #0 {
entry:
  %whole = alloca [16 x i8], align 16
  %call = call ptr @line_of(ptr %p)
  %waits = getelementptr inbounds nuw i8, ptr %call, i64 72
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 63
  %arrayidx = getelementptr inbounds nuw i8, ptr %waits, i64 %rem
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %tobool.not = icmp eq i8 %1, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str.6, ptr %file, i32 %at)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %conv = trunc i32 %mark to i8
  store i8 %conv, ptr %arrayidx, align 1, !tbaa !20
  %bits4 = getelementptr inbounds nuw i8, ptr %call, i64 136
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %bits4, i64 %rem
  store i8 %bits, ptr %arrayidx6, align 1, !tbaa !20
  %2 = load i64, ptr @waiting, align 8, !tbaa !13
  %inc = add i64 %2, 1
  store i64 %inc, ptr @waiting, align 8, !tbaa !13
  %and = and i32 %mark, 240
  %call7 = call i32 @width(i32 %and)
  %and8 = and i32 %mark, 15
  %idx.ext = zext nneg i32 %and8 to i64
  %idx.neg = sub nsw i64 0, %idx.ext
  %add.ptr = getelementptr inbounds i8, ptr %p, i64 %idx.neg
  call void @llvm.lifetime.start.p0(ptr nonnull %whole) #8
  br label %for.cond

for.cond:                                         ; preds = %if.end23, %if.end
  %k.0 = phi i32 [ 0, %if.end ], [ %inc30, %if.end23 ]
  %cmp.not = icmp slt i32 %k.0, %call7
  br i1 %cmp.not, label %for.body, label %for.cond34

for.body:                                         ; preds = %for.cond
  %idx.ext10 = zext nneg i32 %k.0 to i64
  %add.ptr11 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %idx.ext10
  %call12 = call ptr @known(ptr %add.ptr11)
  %tobool13.not = icmp eq ptr %call12, null
  br i1 %tobool13.not, label %cleanup52, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %for.body
  %waits14 = getelementptr inbounds nuw i8, ptr %call12, i64 72
  %3 = ptrtoint ptr %add.ptr11 to i64
  %rem17 = and i64 %3, 63
  %arrayidx18 = getelementptr inbounds nuw i8, ptr %waits14, i64 %rem17
  %4 = load i8, ptr %arrayidx18, align 1, !tbaa !20
  %conv19 = zext i8 %4 to i32
  %add = add nuw nsw i32 %and, %k.0
  %cmp20.not = icmp eq i32 %add, %conv19
  br i1 %cmp20.not, label %if.end23, label %cleanup52

if.end23:                                         ; preds = %lor.lhs.false
  %bits24 = getelementptr inbounds nuw i8, ptr %call12, i64 136
  %arrayidx28 = getelementptr inbounds nuw i8, ptr %bits24, i64 %rem17
  %5 = load i8, ptr %arrayidx28, align 1, !tbaa !20
  %arrayidx29 = getelementptr inbounds nuw i8, ptr %whole, i64 %idx.ext10
  store i8 %5, ptr %arrayidx29, align 1, !tbaa !20
  %inc30 = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !58

for.cond34:                                       ; preds = %for.cond, %for.body38
  %k33.0 = phi i32 [ %inc48, %for.body38 ], [ 0, %for.cond ]
  %cmp35 = icmp slt i32 %k33.0, %call7
  br i1 %cmp35, label %for.body38, label %for.end50

for.body38:                                       ; preds = %for.cond34
  %idx.ext39 = zext nneg i32 %k33.0 to i64
  %add.ptr40 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 %idx.ext39
  %call41 = call ptr @known(ptr %add.ptr40)
  %waits42 = getelementptr inbounds nuw i8, ptr %call41, i64 72
  %6 = ptrtoint ptr %add.ptr40 to i64
  %rem45 = and i64 %6, 63
  %arrayidx46 = getelementptr inbounds nuw i8, ptr %waits42, i64 %rem45
  store i8 0, ptr %arrayidx46, align 1, !tbaa !20
  %inc48 = add nuw nsw i32 %k33.0, 1
  br label %for.cond34, !llvm.loop !59

for.end50:                                        ; preds = %for.cond34
  %conv51 = sext i32 %call7 to i64
  %7 = load i64, ptr @waiting, align 8, !tbaa !13
  %sub = sub i64 %7, %conv51
  store i64 %sub, ptr @waiting, align 8, !tbaa !13
  call void @add(ptr %add.ptr, i32 %and, ptr nonnull %whole, ptr %file, i32 %at)
  br label %cleanup52

cleanup52:                                        ; preds = %for.body, %lor.lhs.false, %for.end50
  call void @llvm.lifetime.end.p0(ptr nonnull %whole) #8
  ret void
}

define internal void @none_waits(ptr %p, i32 %n, ptr %file, i32 %at) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i32 [ 0, %entry ], [ %inc, %for.inc ]
  %0 = load i64, ptr @waiting, align 8, !tbaa !13
  %tobool = icmp ne i64 %0, 0
  %cmp = icmp slt i32 %k.0, %n
  %spec.select = select i1 %tobool, i1 %cmp, i1 false
  br i1 %spec.select, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %idx.ext = zext nneg i32 %k.0 to i64
  %add.ptr = getelementptr inbounds nuw i8, ptr %p, i64 %idx.ext
  %call = call ptr @known(ptr %add.ptr)
  %tobool1.not = icmp eq ptr %call, null
  br i1 %tobool1.not, label %for.inc, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %waits = getelementptr inbounds nuw i8, ptr %call, i64 72
  %1 = ptrtoint ptr %add.ptr to i64
  %rem = and i64 %1, 63
  %arrayidx = getelementptr inbounds nuw i8, ptr %waits, i64 %rem
  %2 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %tobool4.not = icmp eq i8 %2, 0
  br i1 %tobool4.not, label %for.inc, label %if.then

if.then:                                          ; preds = %land.lhs.true
  call void @fail(ptr nonnull @.str.6, ptr %file, i32 %at)
  br label %for.inc

for.inc:                                          ; preds = %for.body, %land.lhs.true, %if.then
  %inc = add nuw nsw i32 %k.0, 1
  br label %for.cond, !llvm.loop !60

for.end:                                          ; preds = %for.cond
  ret void
}

define internal ptr @make(ptr %p) #0 {
entry:
  %0 = load i64, ptr @used, align 8, !tbaa !13
  %mul = shl i64 %0, 1
  %1 = load i64, ptr @room, align 8, !tbaa !13
  %cmp.not = icmp ult i64 %mul, %1
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @grow()
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  %2 = load ptr, ptr @chunks, align 8, !tbaa !0
  %tobool.not = icmp eq ptr %2, null
  br i1 %tobool.not, label %if.then2, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %if.end
  %used = getelementptr inbounds nuw i8, ptr %2, i64 8
  %3 = load i64, ptr %used, align 8, !tbaa !61
  %cmp1 = icmp eq i64 %3, 64
  br i1 %cmp1, label %if.then2, label %if.end7

if.then2:                                         ; preds = %lor.lhs.false, %if.end
  %call = call dereferenceable_or_null(16912) ptr @calloc(i64 1, i64 16912) #11
  %tobool3.not = icmp eq ptr %call, null
  br i1 %tobool3.not, label %if.then4, label %if.end5

if.then4:                                         ; preds = %if.then2
  call void @fail(ptr nonnull @.str, ptr nonnull @.str.7, i32 0)
  br label %if.end5

if.end5:                                          ; preds = %if.then4, %if.then2
  %4 = load ptr, ptr @chunks, align 8, !tbaa !0
  store ptr %4, ptr %call, align 8, !tbaa !5
  store ptr %call, ptr @chunks, align 8, !tbaa !0
  br label %if.end7

if.end7:                                          ; preds = %if.end5, %lor.lhs.false
  %5 = load ptr, ptr @chunks, align 8, !tbaa !0
  %lines = getelementptr inbounds nuw i8, ptr %5, i64 16
  %used8 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %6 = load i64, ptr %used8, align 8, !tbaa !61
  %inc = add i64 %6, 1
  store i64 %inc, ptr %used8, align 8, !tbaa !61
  %arrayidx = getelementptr inbounds nuw %struct.line, ptr %lines, i64 %6
  %7 = ptrtoint ptr %p to i64
  %div6 = lshr i64 %7, 6
  store i64 %div6, ptr %arrayidx, align 8, !tbaa !54
  %8 = load ptr, ptr @slots, align 8, !tbaa !10
  %call10 = call i64 @place(i64 %div6)
  %arrayidx11 = getelementptr inbounds nuw ptr, ptr %8, i64 %call10
  store ptr %arrayidx, ptr %arrayidx11, align 8, !tbaa !26
  %9 = load i64, ptr @used, align 8, !tbaa !13
  %inc12 = add i64 %9, 1
  store i64 %inc12, ptr @used, align 8, !tbaa !13
  ret ptr %arrayidx
}

define internal void @grow() #0 {
entry:
  %0 = load ptr, ptr @slots, align 8, !tbaa !10
  %1 = load i64, ptr @room, align 8, !tbaa !13
  %tobool.not = icmp eq i64 %1, 0
  %mul = shl i64 %1, 1
  %cond = select i1 %tobool.not, i64 256, i64 %mul
  store i64 %cond, ptr @room, align 8, !tbaa !13
  %call = call ptr @calloc(i64 %cond, i64 8) #11
  store ptr %call, ptr @slots, align 8, !tbaa !10
  %tobool1.not = icmp eq ptr %call, null
  br i1 %tobool1.not, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @fail(ptr nonnull @.str, ptr nonnull @.str.7, i32 0)
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %if.end
  %k.0 = phi i64 [ 0, %if.end ], [ %inc, %for.inc ]
  %cmp = icmp ult i64 %k.0, %1
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw ptr, ptr %0, i64 %k.0
  %2 = load ptr, ptr %arrayidx, align 8, !tbaa !26
  %tobool2.not = icmp eq ptr %2, null
  br i1 %tobool2.not, label %for.inc, label %if.then3

if.then3:                                         ; preds = %for.body
  %3 = load ptr, ptr @slots, align 8, !tbaa !10
  %4 = load i64, ptr %2, align 8, !tbaa !54
  %call6 = call i64 @place(i64 %4)
  %arrayidx7 = getelementptr inbounds nuw ptr, ptr %3, i64 %call6
  store ptr %2, ptr %arrayidx7, align 8, !tbaa !26
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then3
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !62

for.end:                                          ; preds = %for.cond
  call void @free(ptr %0) #8
  ret void
}

declare ptr @calloc(i64, i64) #5

define internal i64 @place(i64 %key) #0 {
entry:
  %mul = mul i64 %key, -7046029254386353131
  %shr = lshr i64 %mul, 20
  %0 = load i64, ptr @room, align 8, !tbaa !13
  %sub = add i64 %0, -1
  br label %while.cond

while.cond:                                       ; preds = %while.body, %entry
  %shr.pn = phi i64 [ %shr, %entry ], [ %add, %while.body ]
  %at.0 = and i64 %shr.pn, %sub
  %1 = load ptr, ptr @slots, align 8, !tbaa !10
  %arrayidx = getelementptr inbounds nuw ptr, ptr %1, i64 %at.0
  %2 = load ptr, ptr %arrayidx, align 8, !tbaa !26
  %tobool.not = icmp eq ptr %2, null
  br i1 %tobool.not, label %while.end, label %land.rhs

land.rhs:                                         ; preds = %while.cond
  %3 = load i64, ptr %2, align 8, !tbaa !54
  %cmp.not = icmp eq i64 %3, %key
  br i1 %cmp.not, label %while.end, label %while.body

while.body:                                       ; preds = %land.rhs
  %add = add i64 %at.0, 1
  br label %while.cond, !llvm.loop !63

while.end:                                        ; preds = %while.cond, %land.rhs
  ret i64 %at.0
}

define internal i32 @stain_of(ptr %p) #0 {
entry:
  %call = call ptr @known(ptr %p)
  %tobool.not = icmp eq ptr %call, null
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:                                        ; preds = %entry
  %stain = getelementptr inbounds nuw i8, ptr %call, i64 200
  %0 = ptrtoint ptr %p to i64
  %rem = and i64 %0, 63
  %arrayidx = getelementptr inbounds nuw i8, ptr %stain, i64 %rem
  %1 = load i8, ptr %arrayidx, align 1, !tbaa !20
  %conv = zext i8 %1 to i32
  br label %cond.end

cond.end:                                         ; preds = %entry, %cond.true
  %cond = phi i32 [ %conv, %cond.true ], [ 0, %entry ]
  ret i32 %cond
}

declare void @em.run.bytes(ptr, ptr, i32) #6

define internal void @arrive(ptr %p, i32 %mark, i8 zeroext %bits, ptr %file, i32 %at) #0 {
entry:
  %call = call zeroext i8 @mark_of(ptr %p)
  %tobool = icmp ne i8 %call, 0
  %0 = and i8 %call, -16
  %cmp = icmp ne i8 %0, 64
  %or.cond = and i1 %tobool, %cmp
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @wait_for(ptr %p, i32 %mark, i8 zeroext %bits, ptr %file, i32 %at)
  br label %cleanup.cont

if.end:                                           ; preds = %entry
  %tobool2.not = icmp eq i8 %call, 0
  br i1 %tobool2.not, label %land.lhs.true3, label %if.end7

land.lhs.true3:                                   ; preds = %if.end
  %1 = load i8, ptr %p, align 1, !tbaa !20
  %tobool5.not = icmp eq i8 %1, 0
  br i1 %tobool5.not, label %if.end7, label %if.then6

if.then6:                                         ; preds = %land.lhs.true3
  call void @fail(ptr nonnull @.str.1, ptr %file, i32 %at)
  br label %if.end7

if.end7:                                          ; preds = %if.then6, %land.lhs.true3, %if.end
  store i8 %bits, ptr %p, align 1, !tbaa !20
  call void @set_mark(ptr nonnull %p, i32 %mark)
  br label %cleanup.cont

cleanup.cont:                                     ; preds = %if.then, %if.end7
  ret void
}

declare i1 @llvm.is.fpclass.f64(double, i32 immarg) #7

declare i64 @llvm.umin.i64(i64, i64) #7

attributes #0 = { minsize noinline nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { nounwind allocsize(0) "no-trapping-math"="true" }
attributes #5 = { nounwind allocsize(0,1) "no-trapping-math"="true" }
attributes #6 = { cold noreturn "no-trapping-math"="true" }
attributes #7 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #8 = { nounwind }
attributes #9 = { nounwind allocsize(0) }
attributes #10 = { cold noreturn nounwind }
attributes #11 = { nounwind allocsize(0,1) }

!0 = !{!1, !1, i64 0}
!1 = !{!"p1 _ZTS5chunk", !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!6, !1, i64 0}
!6 = !{!"chunk", !1, i64 0, !7, i64 8, !3, i64 16}
!7 = !{!"long", !3, i64 0}
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{!11, !11, i64 0}
!11 = !{!"p2 _ZTS4line", !12, i64 0}
!12 = !{!"any p2 pointer", !2, i64 0}
!13 = !{!7, !7, i64 0}
!14 = !{!15, !17, i64 8}
!15 = !{!"", !16, i64 0, !17, i64 8}
!16 = !{!"p1 omnipotent char", !2, i64 0}
!17 = !{!"int", !3, i64 0}
!18 = !{!17, !17, i64 0}
!19 = !{!15, !16, i64 0}
!20 = !{!3, !3, i64 0}
!21 = distinct !{!21, !9}
!22 = distinct !{!22, !9}
!23 = distinct !{!23, !9}
!24 = !{!25, !25, i64 0}
!25 = !{!"double", !3, i64 0}
!26 = !{!27, !27, i64 0}
!27 = !{!"p1 _ZTS4line", !2, i64 0}
!28 = distinct !{!28, !9}
!29 = distinct !{!29, !9}
!30 = distinct !{!30, !9}
!31 = distinct !{!31, !9}
!32 = distinct !{!32, !9}
!33 = distinct !{!33, !9}
!34 = distinct !{!34, !9}
!35 = distinct !{!35, !9}
!36 = distinct !{!36, !9}
!37 = distinct !{!37, !9}
!38 = distinct !{!38, !9}
!39 = distinct !{!39, !9}
!40 = distinct !{!40, !9}
!41 = distinct !{!41, !9}
!42 = distinct !{!42, !9}
!43 = distinct !{!43, !9}
!44 = distinct !{!44, !9}
!45 = distinct !{!45, !9}
!46 = distinct !{!46, !9}
!47 = distinct !{!47, !9}
!48 = distinct !{!48, !9}
!49 = distinct !{!49, !9}
!50 = distinct !{!50, !9}
!51 = distinct !{!51, !9}
!52 = distinct !{!52, !9}
!53 = distinct !{!53, !9}
!54 = !{!55, !7, i64 0}
!55 = !{!"line", !7, i64 0, !3, i64 8, !3, i64 72, !3, i64 136, !3, i64 200}
!56 = distinct !{!56, !9}
!57 = distinct !{!57, !9}
!58 = distinct !{!58, !9}
!59 = distinct !{!59, !9}
!60 = distinct !{!60, !9}
!61 = !{!6, !7, i64 8}
!62 = distinct !{!62, !9}
!63 = distinct !{!63, !9}
