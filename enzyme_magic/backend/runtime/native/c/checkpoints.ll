%struct.loop = type { ptr, ptr, i64, ptr, ptr, ptr }
%struct.region = type { ptr, i64 }

define ptr @em.checkpoint.forward(ptr %context, ptr %advance, ptr %regions, i64 %count, i64 %most) #0 {
entry:
  %.compoundliteral.sroa.5 = alloca [16 x ptr], align 8
  %loop = alloca %struct.loop, align 8
  %call = call i64 @bytes_of(ptr %regions, i64 %count)
  %div = sdiv i64 %most, %call
  %and = and i64 %div, -2
  %0 = call i64 @llvm.smax.i64(i64 %and, i64 4)
  %cond5 = call i64 @llvm.smin.i64(i64 %0, i64 16384)
  %call6 = call ptr @em.run.arena_current() #6
  %mul = shl nuw nsw i64 %cond5, 2
  %add = add nuw nsw i64 %mul, 168
  %call7 = call ptr @em.allocate(ptr %call6, i64 %add) #6
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %.compoundliteral.sroa.5, i8 0, i64 128, i1 false)
  store i64 0, ptr %call7, align 8
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call7, i64 8
  store i64 %cond5, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 8
  %.compoundliteral.sroa.3.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call7, i64 16
  store i64 1, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 8
  %.compoundliteral.sroa.4.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call7, i64 24
  store i64 0, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8
  %.compoundliteral.sroa.49.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call7, i64 32
  store i64 %call, ptr %.compoundliteral.sroa.49.0..sroa_idx, align 8
  %.compoundliteral.sroa.5.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call7, i64 40
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(128) %.compoundliteral.sroa.5.0..sroa_idx, ptr noundef nonnull align 8 dereferenceable(128) %.compoundliteral.sroa.5, i64 128, i1 false)
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %cmp10 = icmp samesign ult i64 %k.0, %cond5
  br i1 %cmp10, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %conv = trunc i64 %k.0 to i32
  %order = getelementptr inbounds nuw i8, ptr %call7, i64 168
  %arrayidx = getelementptr inbounds nuw i32, ptr %order, i64 %k.0
  store i32 %conv, ptr %arrayidx, align 4, !tbaa !0
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !4

for.end:                                          ; preds = %for.cond
  call void @llvm.lifetime.start.p0(ptr nonnull %loop) #6
  store ptr %call7, ptr %loop, align 8, !tbaa !6
  %regions12 = getelementptr inbounds nuw i8, ptr %loop, i64 8
  store ptr %regions, ptr %regions12, align 8, !tbaa !12
  %count13 = getelementptr inbounds nuw i8, ptr %loop, i64 16
  store i64 %count, ptr %count13, align 8, !tbaa !13
  %advance14 = getelementptr inbounds nuw i8, ptr %loop, i64 24
  store ptr %advance, ptr %advance14, align 8, !tbaa !14
  %reverse = getelementptr inbounds nuw i8, ptr %loop, i64 32
  store ptr null, ptr %reverse, align 8, !tbaa !15
  %context15 = getelementptr inbounds nuw i8, ptr %loop, i64 40
  store ptr %context, ptr %context15, align 8, !tbaa !16
  br label %for.cond16

for.cond16:                                       ; preds = %if.end55, %for.end
  %1 = load i64, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8, !tbaa !17
  %2 = load i64, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 8, !tbaa !17
  %rem = srem i64 %1, %2
  %cmp19 = icmp eq i64 %rem, 0
  br i1 %cmp19, label %if.then, label %if.end55

if.then:                                          ; preds = %for.cond16
  %3 = load i64, ptr %call7, align 8, !tbaa !17
  %cmp22 = icmp eq i64 %3, %cond5
  br i1 %cmp22, label %if.then24, label %if.end

if.then24:                                        ; preds = %if.then
  %div25 = lshr exact i64 %cond5, 1
  store i64 %div25, ptr %call7, align 8, !tbaa !17
  %mul28 = shl nsw i64 %2, 1
  store i64 %mul28, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 8, !tbaa !17
  br label %for.cond30

for.cond30:                                       ; preds = %for.body35, %if.then24
  %k29.0 = phi i64 [ 1, %if.then24 ], [ %inc47, %for.body35 ]
  %cmp32 = icmp samesign ult i64 %k29.0, %div25
  br i1 %cmp32, label %for.body35, label %if.end

for.body35:                                       ; preds = %for.cond30
  %order36 = getelementptr inbounds nuw i8, ptr %call7, i64 168
  %arrayidx38.idx = shl nsw i64 %k29.0, 3
  %arrayidx38 = getelementptr inbounds nuw i8, ptr %order36, i64 %arrayidx38.idx
  %4 = load i32, ptr %arrayidx38, align 4, !tbaa !0
  %arrayidx40 = getelementptr inbounds nuw i32, ptr %order36, i64 %k29.0
  %5 = load i32, ptr %arrayidx40, align 4, !tbaa !0
  store i32 %5, ptr %arrayidx38, align 4, !tbaa !0
  store i32 %4, ptr %arrayidx40, align 4, !tbaa !0
  %inc47 = add nuw nsw i64 %k29.0, 1
  br label %for.cond30, !llvm.loop !18

if.end:                                           ; preds = %for.cond30, %if.then
  %order49 = getelementptr inbounds nuw i8, ptr %call7, i64 168
  %6 = load i64, ptr %call7, align 8, !tbaa !17
  %inc51 = add nsw i64 %6, 1
  store i64 %inc51, ptr %call7, align 8, !tbaa !17
  %arrayidx52 = getelementptr inbounds i32, ptr %order49, i64 %6
  %7 = load i32, ptr %arrayidx52, align 4, !tbaa !0
  %conv53 = sext i32 %7 to i64
  %call54 = call ptr @place(ptr nonnull %call7, i64 %conv53)
  call void @save(ptr nonnull %loop, ptr %call54)
  br label %if.end55

if.end55:                                         ; preds = %if.end, %for.cond16
  %8 = load i64, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8, !tbaa !17
  %inc57 = add nsw i64 %8, 1
  store i64 %inc57, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8, !tbaa !17
  %call58 = call i32 %advance(ptr %context) #6
  %tobool.not = icmp eq i32 %call58, 0
  br i1 %tobool.not, label %for.cond16, label %if.then59

if.then59:                                        ; preds = %if.end55
  call void @llvm.lifetime.end.p0(ptr nonnull %loop) #6
  ret ptr %call7
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

define internal i64 @bytes_of(ptr %regions, i64 %count) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %bytes.0 = phi i64 [ 0, %entry ], [ %add, %for.body ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %cmp = icmp slt i64 %k.0, %count
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw %struct.region, ptr %regions, i64 %k.0
  %bytes1 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %0 = load i64, ptr %bytes1, align 8, !tbaa !19
  %add = add nsw i64 %bytes.0, %0
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !22

for.end:                                          ; preds = %for.cond
  %bytes.0. = call i64 @llvm.umax.i64(i64 %bytes.0, i64 1)
  ret i64 %bytes.0.
}

declare ptr @em.allocate(ptr, i64) #2

declare ptr @em.run.arena_current() #2

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #3

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #4

declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

define internal void @save(ptr %loop, ptr %to) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %to.addr.0 = phi ptr [ %to, %entry ], [ %add.ptr, %for.body ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %count = getelementptr inbounds nuw i8, ptr %loop, i64 16
  %0 = load i64, ptr %count, align 8, !tbaa !13
  %cmp = icmp slt i64 %k.0, %0
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %regions = getelementptr inbounds nuw i8, ptr %loop, i64 8
  %1 = load ptr, ptr %regions, align 8, !tbaa !12
  %arrayidx = getelementptr inbounds nuw %struct.region, ptr %1, i64 %k.0
  %2 = load ptr, ptr %arrayidx, align 8, !tbaa !23
  %bytes = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %3 = load i64, ptr %bytes, align 8, !tbaa !19
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %to.addr.0, ptr align 1 %2, i64 %3, i1 false)
  %4 = load ptr, ptr %regions, align 8, !tbaa !12
  %arrayidx4 = getelementptr inbounds nuw %struct.region, ptr %4, i64 %k.0
  %bytes5 = getelementptr inbounds nuw i8, ptr %arrayidx4, i64 8
  %5 = load i64, ptr %bytes5, align 8, !tbaa !19
  %add.ptr = getelementptr inbounds i8, ptr %to.addr.0, i64 %5
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !24

for.end:                                          ; preds = %for.cond
  ret void
}

define internal ptr @place(ptr %record, i64 %slot) #0 {
entry:
  br label %while.cond

while.cond:                                       ; preds = %while.cond, %entry
  %block.0 = phi i64 [ 0, %entry ], [ %add1, %while.cond ]
  %add = add nsw i64 %slot, 1
  %add1 = add nuw nsw i64 %block.0, 1
  %shr = ashr i64 %add, %add1
  %tobool.not = icmp eq i64 %shr, 0
  br i1 %tobool.not, label %while.end, label %while.cond, !llvm.loop !25

while.end:                                        ; preds = %while.cond
  %blocks = getelementptr inbounds nuw i8, ptr %record, i64 40
  %arrayidx = getelementptr inbounds nuw ptr, ptr %blocks, i64 %block.0
  %0 = load ptr, ptr %arrayidx, align 8, !tbaa !26
  %tobool2.not = icmp eq ptr %0, null
  br i1 %tobool2.not, label %if.then, label %if.end

if.then:                                          ; preds = %while.end
  %slots = getelementptr inbounds nuw i8, ptr %record, i64 8
  %1 = load i64, ptr %slots, align 8, !tbaa !17
  %add3 = add nsw i64 %1, 1
  %shl.neg = shl nsw i64 -1, %block.0
  %sub = add i64 %shl.neg, %add3
  %shl4 = shl nuw i64 1, %block.0
  %call = call ptr @em.run.arena_current() #6
  %bytes = getelementptr inbounds nuw i8, ptr %record, i64 32
  %2 = load i64, ptr %bytes, align 8, !tbaa !17
  %sub.shl4 = call i64 @llvm.smin.i64(i64 %sub, i64 %shl4)
  %mul = mul i64 %2, %sub.shl4
  %call5 = call ptr @em.allocate(ptr %call, i64 %mul) #6
  store ptr %call5, ptr %arrayidx, align 8, !tbaa !26
  br label %if.end

if.end:                                           ; preds = %if.then, %while.end
  %3 = load ptr, ptr %arrayidx, align 8, !tbaa !26
  %shl11.neg = shl nsw i64 -1, %block.0
  %sub12 = add i64 %shl11.neg, %add
  %bytes13 = getelementptr inbounds nuw i8, ptr %record, i64 32
  %4 = load i64, ptr %bytes13, align 8, !tbaa !17
  %mul14 = mul nsw i64 %sub12, %4
  %add.ptr = getelementptr inbounds i8, ptr %3, i64 %mul14
  ret ptr %add.ptr
}

define void @em.checkpoint.reverse(ptr %tape, ptr %context, ptr %advance, ptr %back, ptr %regions, i64 %count) #0 {
entry:
  %loop = alloca %struct.loop, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %loop) #6
  store ptr %tape, ptr %loop, align 8, !tbaa !6
  %regions2 = getelementptr inbounds nuw i8, ptr %loop, i64 8
  store ptr %regions, ptr %regions2, align 8, !tbaa !12
  %count3 = getelementptr inbounds nuw i8, ptr %loop, i64 16
  store i64 %count, ptr %count3, align 8, !tbaa !13
  %advance4 = getelementptr inbounds nuw i8, ptr %loop, i64 24
  store ptr %advance, ptr %advance4, align 8, !tbaa !14
  %reverse = getelementptr inbounds nuw i8, ptr %loop, i64 32
  store ptr %back, ptr %reverse, align 8, !tbaa !15
  %context5 = getelementptr inbounds nuw i8, ptr %loop, i64 40
  store ptr %context, ptr %context5, align 8, !tbaa !16
  %call = call ptr @em.run.arena_current() #6
  %bytes = getelementptr inbounds nuw i8, ptr %tape, i64 32
  %0 = load i64, ptr %bytes, align 8, !tbaa !17
  %call6 = call ptr @em.allocate(ptr %call, i64 %0) #6
  call void @save(ptr nonnull %loop, ptr %call6)
  %pieces = getelementptr inbounds nuw i8, ptr %tape, i64 24
  %1 = load i64, ptr %pieces, align 8, !tbaa !17
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %end.0 = phi i64 [ %1, %entry ], [ %mul, %for.body ]
  %2 = load i64, ptr %tape, align 8, !tbaa !17
  %tobool.not = icmp eq i64 %2, 0
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %sub = add nsw i64 %2, -1
  %spacing = getelementptr inbounds nuw i8, ptr %tape, i64 16
  %3 = load i64, ptr %spacing, align 8, !tbaa !17
  %mul = mul nsw i64 %sub, %3
  %4 = getelementptr i8, ptr %tape, i64 164
  %arrayidx = getelementptr i32, ptr %4, i64 %2
  %5 = load i32, ptr %arrayidx, align 4, !tbaa !0
  %sub10 = sub nsw i64 %end.0, %mul
  call void @sweep(ptr nonnull %loop, i32 %5, i64 %sub10, i64 %2)
  %6 = load i64, ptr %tape, align 8, !tbaa !17
  %dec = add nsw i64 %6, -1
  store i64 %dec, ptr %tape, align 8, !tbaa !17
  br label %for.cond, !llvm.loop !27

for.end:                                          ; preds = %for.cond
  call void @restore(ptr nonnull %loop, ptr %call6)
  call void @llvm.lifetime.end.p0(ptr nonnull %loop) #6
  ret void
}

define internal void @sweep(ptr %loop, i32 %slot, i64 %length, i64 %free) #0 {
entry:
  %0 = load ptr, ptr %loop, align 8, !tbaa !6
  br label %while.cond

while.cond:                                       ; preds = %for.end, %entry
  %length.addr.0 = phi i64 [ %length, %entry ], [ %call, %for.end ]
  %cmp = icmp sgt i64 %length.addr.0, 1
  br i1 %cmp, label %land.rhs, label %while.end

land.rhs:                                         ; preds = %while.cond
  %slots = getelementptr inbounds nuw i8, ptr %0, i64 8
  %1 = load i64, ptr %slots, align 8, !tbaa !17
  %cmp2 = icmp slt i64 %free, %1
  br i1 %cmp2, label %while.body, label %while.end

while.body:                                       ; preds = %land.rhs
  %sub = sub nsw i64 %1, %free
  %call = call i64 @split(i64 %length.addr.0, i64 %sub)
  %conv = sext i32 %slot to i64
  %call4 = call ptr @place(ptr %0, i64 %conv)
  call void @restore(ptr nonnull %loop, ptr %call4)
  br label %for.cond

for.cond:                                         ; preds = %for.body, %while.body
  %k.0 = phi i64 [ 0, %while.body ], [ %inc, %for.body ]
  %cmp5 = icmp slt i64 %k.0, %call
  br i1 %cmp5, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %advance = getelementptr inbounds nuw i8, ptr %loop, i64 24
  %2 = load ptr, ptr %advance, align 8, !tbaa !14
  %context = getelementptr inbounds nuw i8, ptr %loop, i64 40
  %3 = load ptr, ptr %context, align 8, !tbaa !16
  %call7 = call i32 %2(ptr %3) #6
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !28

for.end:                                          ; preds = %for.cond
  %order = getelementptr inbounds nuw i8, ptr %0, i64 168
  %arrayidx = getelementptr inbounds i32, ptr %order, i64 %free
  %4 = load i32, ptr %arrayidx, align 4, !tbaa !0
  %conv8 = sext i32 %4 to i64
  %call9 = call ptr @place(ptr %0, i64 %conv8)
  call void @save(ptr nonnull %loop, ptr %call9)
  %sub10 = sub nsw i64 %length.addr.0, %call
  %add = add nsw i64 %free, 1
  call void @sweep(ptr nonnull %loop, i32 %4, i64 %sub10, i64 %add)
  br label %while.cond, !llvm.loop !29

while.end:                                        ; preds = %while.cond, %land.rhs
  br label %for.cond11

for.cond11:                                       ; preds = %for.end26, %while.end
  %length.addr.1 = phi i64 [ %length.addr.0, %while.end ], [ %dec, %for.end26 ]
  %tobool.not = icmp eq i64 %length.addr.1, 0
  br i1 %tobool.not, label %for.end29, label %for.body12

for.body12:                                       ; preds = %for.cond11
  %conv13 = sext i32 %slot to i64
  %call14 = call ptr @place(ptr %0, i64 %conv13)
  call void @restore(ptr nonnull %loop, ptr %call14)
  br label %for.cond16

for.cond16:                                       ; preds = %for.body20, %for.body12
  %k15.0 = phi i64 [ 1, %for.body12 ], [ %inc25, %for.body20 ]
  %cmp17 = icmp slt i64 %k15.0, %length.addr.1
  br i1 %cmp17, label %for.body20, label %for.end26

for.body20:                                       ; preds = %for.cond16
  %advance21 = getelementptr inbounds nuw i8, ptr %loop, i64 24
  %5 = load ptr, ptr %advance21, align 8, !tbaa !14
  %context22 = getelementptr inbounds nuw i8, ptr %loop, i64 40
  %6 = load ptr, ptr %context22, align 8, !tbaa !16
  %call23 = call i32 %5(ptr %6) #6
  %inc25 = add nuw nsw i64 %k15.0, 1
  br label %for.cond16, !llvm.loop !30

for.end26:                                        ; preds = %for.cond16
  %reverse = getelementptr inbounds nuw i8, ptr %loop, i64 32
  %7 = load ptr, ptr %reverse, align 8, !tbaa !15
  %context27 = getelementptr inbounds nuw i8, ptr %loop, i64 40
  %8 = load ptr, ptr %context27, align 8, !tbaa !16
  call void %7(ptr %8) #6
  %dec = add nsw i64 %length.addr.1, -1
  br label %for.cond11, !llvm.loop !31

for.end29:                                        ; preds = %for.cond11
  ret void
}

define internal void @restore(ptr %loop, ptr %from) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %from.addr.0 = phi ptr [ %from, %entry ], [ %add.ptr, %for.body ]
  %k.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %count = getelementptr inbounds nuw i8, ptr %loop, i64 16
  %0 = load i64, ptr %count, align 8, !tbaa !13
  %cmp = icmp slt i64 %k.0, %0
  br i1 %cmp, label %for.body, label %for.end

for.body:                                         ; preds = %for.cond
  %regions = getelementptr inbounds nuw i8, ptr %loop, i64 8
  %1 = load ptr, ptr %regions, align 8, !tbaa !12
  %arrayidx = getelementptr inbounds nuw %struct.region, ptr %1, i64 %k.0
  %2 = load ptr, ptr %arrayidx, align 8, !tbaa !23
  %bytes = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %3 = load i64, ptr %bytes, align 8, !tbaa !19
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %2, ptr align 1 %from.addr.0, i64 %3, i1 false)
  %4 = load ptr, ptr %regions, align 8, !tbaa !12
  %arrayidx4 = getelementptr inbounds nuw %struct.region, ptr %4, i64 %k.0
  %bytes5 = getelementptr inbounds nuw i8, ptr %arrayidx4, i64 8
  %5 = load i64, ptr %bytes5, align 8, !tbaa !19
  %add.ptr = getelementptr inbounds i8, ptr %from.addr.0, i64 %5
  %inc = add nuw nsw i64 %k.0, 1
  br label %for.cond, !llvm.loop !32

for.end:                                          ; preds = %for.cond
  ret void
}

define internal i64 @split(i64 %length, i64 %free) #0 {
entry:
  %add = add nsw i64 %free, 1
  %conv = sitofp i64 %add to double
  %add1 = fadd double %conv, 1.000000e+00
  br label %while.cond

while.cond:                                       ; preds = %while.body, %entry
  %phiofops = phi double [ %add1, %entry ], [ %add4, %while.body ]
  %reach.0 = phi double [ %add1, %entry ], [ %mul, %while.body ]
  %r.0 = phi double [ 1.000000e+00, %entry ], [ %inc, %while.body ]
  %conv2 = sitofp i64 %length to double
  %cmp = fcmp olt double %reach.0, %conv2
  br i1 %cmp, label %while.body, label %while.end

while.body:                                       ; preds = %while.cond
  %inc = fadd double %r.0, 1.000000e+00
  %add4 = fadd double %inc, %conv
  %div = fdiv double %add4, %inc
  %mul = fmul double %reach.0, %div
  br label %while.cond, !llvm.loop !33

while.end:                                        ; preds = %while.cond
  %mul5 = fmul double %reach.0, %r.0
  %div7 = fdiv double %mul5, %phiofops
  %mul8 = fmul double %div7, %conv
  %sub = fadd double %phiofops, -1.000000e+00
  %div10 = fdiv double %mul8, %sub
  %sub12 = fsub double %conv2, %div10
  %cmp13 = fcmp olt double %div7, %sub12
  %cond = select i1 %cmp13, double %div7, double %sub12
  %cmp17 = fcmp olt double %cond, 1.000000e+00
  br i1 %cmp17, label %cond.end31, label %cond.false20

cond.false20:                                     ; preds = %while.end
  %sub21 = add nsw i64 %length, -1
  %conv22 = sitofp i64 %sub21 to double
  %cmp23 = fcmp ogt double %cond, %conv22
  %conv28 = fptosi double %cond to i64
  %cond30 = select i1 %cmp23, i64 %sub21, i64 %conv28
  br label %cond.end31

cond.end31:                                       ; preds = %while.end, %cond.false20
  %cond32 = phi i64 [ %cond30, %cond.false20 ], [ 1, %while.end ]
  ret i64 %cond32
}

declare i64 @llvm.smin.i64(i64, i64) #5

declare i64 @llvm.smax.i64(i64, i64) #5

declare i64 @llvm.umax.i64(i64, i64) #5

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind }

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = !{!7, !8, i64 0}
!7 = !{!"loop", !8, i64 0, !10, i64 8, !11, i64 16, !9, i64 24, !9, i64 32, !9, i64 40}
!8 = !{!"p1 _ZTS6record", !9, i64 0}
!9 = !{!"any pointer", !2, i64 0}
!10 = !{!"p1 _ZTS6region", !9, i64 0}
!11 = !{!"long", !2, i64 0}
!12 = !{!7, !10, i64 8}
!13 = !{!7, !11, i64 16}
!14 = !{!7, !9, i64 24}
!15 = !{!7, !9, i64 32}
!16 = !{!7, !9, i64 40}
!17 = !{!11, !11, i64 0}
!18 = distinct !{!18, !5}
!19 = !{!20, !11, i64 8}
!20 = !{!"region", !21, i64 0, !11, i64 8}
!21 = !{!"p1 omnipotent char", !9, i64 0}
!22 = distinct !{!22, !5}
!23 = !{!20, !21, i64 0}
!24 = distinct !{!24, !5}
!25 = distinct !{!25, !5}
!26 = !{!21, !21, i64 0}
!27 = distinct !{!27, !5}
!28 = distinct !{!28, !5}
!29 = distinct !{!29, !5}
!30 = distinct !{!30, !5}
!31 = distinct !{!31, !5}
!32 = distinct !{!32, !5}
!33 = distinct !{!33, !5}
