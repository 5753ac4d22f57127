%struct.block = type { ptr, i64, i64 }

define linkonce_odr void @em.kept.begin(ptr %memory) #0 {
entry:
  %call = call i64 @em.run.block_latest() #5
  %serial = getelementptr inbounds nuw i8, ptr %memory, i64 40
  store i64 %call, ptr %serial, align 8, !tbaa !0
  ret void
}

declare i64 @em.run.block_latest() #1

define linkonce_odr ptr @em.kept.shadow(ptr %memory, ptr %pointer, i64 %lane) #0 {
entry:
  %block = alloca %struct.block, align 8
  %tobool.not = icmp eq ptr %pointer, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %block) #5
  call void @em.run.block_find(ptr nonnull %pointer, ptr nonnull %block) #5
  %serial = getelementptr inbounds nuw i8, ptr %block, i64 16
  %0 = load i64, ptr %serial, align 8, !tbaa !9
  %tobool1.not = icmp eq i64 %0, 0
  br i1 %tobool1.not, label %cleanup, label %lor.lhs.false

lor.lhs.false:                                    ; preds = %if.end
  %serial3 = getelementptr inbounds nuw i8, ptr %memory, i64 40
  %1 = load i64, ptr %serial3, align 8, !tbaa !0
  %cmp = icmp ugt i64 %0, %1
  br i1 %cmp, label %cleanup, label %if.end5

if.end5:                                          ; preds = %lor.lhs.false
  %slots.i = getelementptr inbounds nuw i8, ptr %memory, i64 8
  %2 = load ptr, ptr %slots.i, align 8, !tbaa !12
  %tobool.i.not = icmp eq ptr %2, null
  br i1 %tobool.i.not, label %found_in.exit, label %if.end.i

if.end.i:                                         ; preds = %if.end5
  %3 = load ptr, ptr %block, align 8, !tbaa !13
  %4 = ptrtoint ptr %3 to i64
  %div.i88 = lshr i64 %4, 4
  %mul.i = mul i64 %div.i88, -7046029254386353131
  %shr.i = lshr i64 %mul.i, 20
  %mask.i15 = getelementptr inbounds nuw i8, ptr %memory, i64 16
  %5 = load i64, ptr %mask.i15, align 8, !tbaa !14
  %and.i = and i64 %shr.i, %5
  %add.ptr.i = getelementptr inbounds nuw ptr, ptr %2, i64 %and.i
  br label %while.cond.i

while.cond.i:                                     ; preds = %while.body.i, %if.end.i
  %node.i.0.in = phi ptr [ %add.ptr.i, %if.end.i ], [ %beside.i, %while.body.i ]
  %node.i.0 = load ptr, ptr %node.i.0.in, align 8, !tbaa !15
  %tobool1.i.not = icmp eq ptr %node.i.0, null
  br i1 %tobool1.i.not, label %found_in.exit, label %land.rhs.i

land.rhs.i:                                       ; preds = %while.cond.i
  %6 = load ptr, ptr %node.i.0, align 8, !tbaa !16
  %cmp.i.not = icmp eq ptr %6, %3
  br i1 %cmp.i.not, label %lor.lhs.false.i, label %while.body.i

lor.lhs.false.i:                                  ; preds = %land.rhs.i
  %serial.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 16
  %7 = load i64, ptr %serial.i, align 8, !tbaa !18
  %cmp5.i.not = icmp eq i64 %7, %0
  br i1 %cmp5.i.not, label %lor.rhs.i, label %while.body.i

lor.rhs.i:                                        ; preds = %lor.lhs.false.i
  %lane6.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 24
  %8 = load i64, ptr %lane6.i, align 8, !tbaa !19
  %cmp7.i.not = icmp eq i64 %8, %lane
  br i1 %cmp7.i.not, label %found_in.exit, label %while.body.i

while.body.i:                                     ; preds = %lor.lhs.false.i, %land.rhs.i, %lor.rhs.i
  %beside.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 48
  br label %while.cond.i, !llvm.loop !20

found_in.exit:                                    ; preds = %lor.rhs.i, %while.cond.i, %if.end5
  %phiofops = phi i1 [ true, %if.end5 ], [ true, %while.cond.i ], [ false, %lor.rhs.i ]
  %retval.i.0 = phi ptr [ null, %if.end5 ], [ null, %while.cond.i ], [ %node.i.0, %lor.rhs.i ]
  br i1 %phiofops, label %if.then7, label %if.end9

if.then7:                                         ; preds = %found_in.exit
  br i1 %tobool.i.not, label %cond.end.i, label %lor.lhs.false.i11

lor.lhs.false.i11:                                ; preds = %if.then7
  %count.i = getelementptr inbounds nuw i8, ptr %memory, i64 24
  %9 = load i64, ptr %count.i, align 8, !tbaa !22
  %mask.i = getelementptr inbounds nuw i8, ptr %memory, i64 16
  %10 = load i64, ptr %mask.i, align 8, !tbaa !14
  %cmp.i12 = icmp ugt i64 %9, %10
  br i1 %cmp.i12, label %cond.true.i, label %added.exit

cond.true.i:                                      ; preds = %lor.lhs.false.i11
  %mask.i24 = getelementptr inbounds nuw i8, ptr %memory, i64 16
  %11 = load i64, ptr %mask.i24, align 8, !tbaa !14
  %add.i = shl i64 %11, 1
  %mul.i25 = add i64 %add.i, 2
  br label %cond.end.i

cond.end.i:                                       ; preds = %if.then7, %cond.true.i
  %cond.i = phi i64 [ %mul.i25, %cond.true.i ], [ 64, %if.then7 ]
  call void @free(ptr %2) #5
  %call.i = call ptr @calloc(i64 %cond.i, i64 8) #6
  store ptr %call.i, ptr %slots.i, align 8, !tbaa !12
  %sub.i = add i64 %cond.i, -1
  %mask3.i = getelementptr inbounds nuw i8, ptr %memory, i64 16
  store i64 %sub.i, ptr %mask3.i, align 8, !tbaa !14
  br label %for.cond.i

for.cond.i:                                       ; preds = %if.end.i21, %cond.end.i
  %node.i17.0.in = phi ptr [ %memory, %cond.end.i ], [ %next.i22, %if.end.i21 ]
  %node.i17.0 = load ptr, ptr %node.i17.0.in, align 8, !tbaa !15
  %tobool4.i.not = icmp eq ptr %node.i17.0, null
  br i1 %tobool4.i.not, label %added.exit, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %serial.i20 = getelementptr inbounds nuw i8, ptr %node.i17.0, i64 16
  %12 = load i64, ptr %serial.i20, align 8, !tbaa !18
  %tobool5.i.not = icmp eq i64 %12, 0
  br i1 %tobool5.i.not, label %if.end.i21, label %if.then.i23

if.then.i23:                                      ; preds = %for.body.i
  %13 = load ptr, ptr %node.i17.0, align 8, !tbaa !16
  %14 = ptrtoint ptr %13 to i64
  %div.i.i90 = lshr i64 %14, 4
  %mul.i.i = mul i64 %div.i.i90, -7046029254386353131
  %shr.i.i = lshr i64 %mul.i.i, 20
  %and.i.i = and i64 %shr.i.i, %sub.i
  %add.ptr.i.i = getelementptr inbounds nuw ptr, ptr %call.i, i64 %and.i.i
  %15 = load ptr, ptr %add.ptr.i.i, align 8, !tbaa !15
  %beside.i27 = getelementptr inbounds nuw i8, ptr %node.i17.0, i64 48
  store ptr %15, ptr %beside.i27, align 8, !tbaa !23
  store ptr %node.i17.0, ptr %add.ptr.i.i, align 8, !tbaa !15
  br label %if.end.i21

if.end.i21:                                       ; preds = %if.then.i23, %for.body.i
  %next.i22 = getelementptr inbounds nuw i8, ptr %node.i17.0, i64 40
  br label %for.cond.i, !llvm.loop !24

added.exit:                                       ; preds = %for.cond.i, %lor.lhs.false.i11
  %call.i8 = call dereferenceable_or_null(56) ptr @malloc(i64 56) #7
  %16 = load ptr, ptr %block, align 8, !tbaa !13
  %size2.i = getelementptr inbounds nuw i8, ptr %block, i64 8
  %17 = load i64, ptr %size2.i, align 8, !tbaa !25
  %18 = load i64, ptr %serial, align 8, !tbaa !9
  %call7.i = call ptr @em.shadow.allocate(ptr %16, i64 %17) #5
  %19 = load ptr, ptr %memory, align 8, !tbaa !26
  store ptr %16, ptr %call.i8, align 8, !tbaa !27
  %.compoundliteral.i.sroa.4.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call.i8, i64 8
  store i64 %17, ptr %.compoundliteral.i.sroa.4.0..sroa_idx, align 8, !tbaa !28
  %.compoundliteral.i.sroa.5.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call.i8, i64 16
  store i64 %18, ptr %.compoundliteral.i.sroa.5.0..sroa_idx, align 8, !tbaa !28
  %.compoundliteral.i.sroa.6.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call.i8, i64 24
  store i64 %lane, ptr %.compoundliteral.i.sroa.6.0..sroa_idx, align 8, !tbaa !28
  %.compoundliteral.i.sroa.7.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call.i8, i64 32
  store ptr %call7.i, ptr %.compoundliteral.i.sroa.7.0..sroa_idx, align 8, !tbaa !27
  %.compoundliteral.i.sroa.8.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call.i8, i64 40
  store ptr %19, ptr %.compoundliteral.i.sroa.8.0..sroa_idx, align 8, !tbaa !15
  %.compoundliteral.i.sroa.9.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call.i8, i64 48
  store ptr null, ptr %.compoundliteral.i.sroa.9.0..sroa_idx, align 8, !tbaa !15
  store ptr %call.i8, ptr %memory, align 8, !tbaa !26
  %count9.i = getelementptr inbounds nuw i8, ptr %memory, i64 24
  %20 = load i64, ptr %count9.i, align 8, !tbaa !22
  %inc.i = add i64 %20, 1
  store i64 %inc.i, ptr %count9.i, align 8, !tbaa !22
  %21 = load ptr, ptr %slots.i, align 8, !tbaa !12
  %22 = ptrtoint ptr %16 to i64
  %div.i.i3489 = lshr i64 %22, 4
  %mul.i.i35 = mul i64 %div.i.i3489, -7046029254386353131
  %shr.i.i36 = lshr i64 %mul.i.i35, 20
  %mask.i.i37 = getelementptr inbounds nuw i8, ptr %memory, i64 16
  %23 = load i64, ptr %mask.i.i37, align 8, !tbaa !14
  %and.i.i38 = and i64 %shr.i.i36, %23
  %add.ptr.i.i39 = getelementptr inbounds nuw ptr, ptr %21, i64 %and.i.i38
  %24 = load ptr, ptr %add.ptr.i.i39, align 8, !tbaa !15
  store ptr %24, ptr %.compoundliteral.i.sroa.9.0..sroa_idx, align 8, !tbaa !23
  store ptr %call.i8, ptr %add.ptr.i.i39, align 8, !tbaa !15
  br label %if.end9

if.end9:                                          ; preds = %added.exit, %found_in.exit
  %node.0 = phi ptr [ %retval.i.0, %found_in.exit ], [ %call.i8, %added.exit ]
  %shadow = getelementptr inbounds nuw i8, ptr %node.0, i64 32
  %25 = load ptr, ptr %shadow, align 8, !tbaa !29
  %26 = load ptr, ptr %block, align 8, !tbaa !13
  %sub.ptr.lhs.cast = ptrtoint ptr %pointer to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %26 to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %add.ptr = getelementptr inbounds i8, ptr %25, i64 %sub.ptr.sub
  br label %cleanup

cleanup:                                          ; preds = %if.end, %lor.lhs.false, %if.end9
  %retval.1 = phi ptr [ %add.ptr, %if.end9 ], [ null, %lor.lhs.false ], [ null, %if.end ]
  call void @llvm.lifetime.end.p0(ptr nonnull %block) #5
  br label %return

return:                                           ; preds = %entry, %cleanup
  %retval.0 = phi ptr [ %retval.1, %cleanup ], [ null, %entry ]
  ret ptr %retval.0
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

declare void @em.run.block_find(ptr, ptr) #1

declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

define linkonce_odr i64 @em.kept.follow(ptr %memory, ptr %place, ptr %shadow, ptr %pointer) #0 {
entry:
  %block.i = alloca %struct.block, align 8
  %0 = load ptr, ptr %shadow, align 8, !tbaa !30
  %cmp.i = icmp ult ptr %0, inttoptr (i64 4194304 to ptr)
  %cmp1.i = icmp uge ptr %0, inttoptr (i64 -4194304 to ptr)
  %or.cond = or i1 %cmp.i, %cmp1.i
  %cmp2.i = icmp uge ptr %pointer, inttoptr (i64 65536 to ptr)
  %spec.select110 = select i1 %or.cond, i1 %cmp2.i, i1 false
  br i1 %spec.select110, label %if.end, label %return

if.end:                                           ; preds = %entry
  %lanes.i = getelementptr inbounds nuw i8, ptr %memory, i64 32
  %1 = load i64, ptr %lanes.i, align 8, !tbaa !31
  %cmp.i2 = icmp ult i64 %1, 2
  br i1 %cmp.i2, label %if.then.i, label %for.cond.i

if.then.i:                                        ; preds = %if.end
  %sext = add nsw i64 %1, -1
  br label %lane_of_variable.exit

for.cond.i:                                       ; preds = %if.end, %cleanup.cont.i
  %retval.i.0 = phi i64 [ %retval.i.2, %cleanup.cont.i ], [ undef, %if.end ]
  %node.i.0.in = phi ptr [ %next.i, %cleanup.cont.i ], [ %memory, %if.end ]
  %node.i.0 = load ptr, ptr %node.i.0.in, align 8, !tbaa !15
  %tobool2.i.not = icmp eq ptr %node.i.0, null
  br i1 %tobool2.i.not, label %cleanup10.i, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %2 = load ptr, ptr %node.i.0, align 8, !tbaa !16
  %sub.ptr.lhs.cast.i = ptrtoint ptr %place to i64
  %sub.ptr.rhs.cast.i = ptrtoint ptr %2 to i64
  %sub.ptr.sub.i = sub i64 %sub.ptr.lhs.cast.i, %sub.ptr.rhs.cast.i
  %serial.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 16
  %3 = load i64, ptr %serial.i, align 8, !tbaa !18
  %tobool3.i.not = icmp eq i64 %3, 0
  br i1 %tobool3.i.not, label %land.lhs.true.i, label %cleanup.i

land.lhs.true.i:                                  ; preds = %for.body.i
  %size.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 8
  %4 = load i64, ptr %size.i, align 8, !tbaa !32
  %cmp4.i = icmp ult i64 %sub.ptr.sub.i, %4
  br i1 %cmp4.i, label %land.lhs.true5.i, label %cleanup.i

land.lhs.true5.i:                                 ; preds = %land.lhs.true.i
  %shadow6.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 32
  %5 = load ptr, ptr %shadow6.i, align 8, !tbaa !29
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %5, i64 %sub.ptr.sub.i
  %cmp7.i = icmp eq ptr %add.ptr.i, %shadow
  br i1 %cmp7.i, label %if.then8.i, label %cleanup.i

if.then8.i:                                       ; preds = %land.lhs.true5.i
  %lane.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 24
  %6 = load i64, ptr %lane.i, align 8, !tbaa !19
  br label %cleanup.i

cleanup.i:                                        ; preds = %for.body.i, %land.lhs.true.i, %land.lhs.true5.i, %if.then8.i
  %retval.i.2 = phi i64 [ %6, %if.then8.i ], [ %retval.i.0, %land.lhs.true5.i ], [ %retval.i.0, %land.lhs.true.i ], [ %retval.i.0, %for.body.i ]
  %cond = phi i1 [ false, %if.then8.i ], [ true, %land.lhs.true5.i ], [ true, %land.lhs.true.i ], [ true, %for.body.i ]
  %cleanup.dest.slot.i.1 = phi i32 [ 1, %if.then8.i ], [ 0, %land.lhs.true5.i ], [ 0, %land.lhs.true.i ], [ 0, %for.body.i ]
  br i1 %cond, label %cleanup.cont.i, label %cleanup10.i

cleanup.cont.i:                                   ; preds = %cleanup.i
  %next.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 40
  br label %for.cond.i, !llvm.loop !33

cleanup10.i:                                      ; preds = %for.cond.i, %cleanup.i
  %retval.i.1 = phi i64 [ %retval.i.2, %cleanup.i ], [ %retval.i.0, %for.cond.i ]
  %cleanup.dest.slot.i.0 = phi i32 [ %cleanup.dest.slot.i.1, %cleanup.i ], [ 2, %for.cond.i ]
  switch i32 %cleanup.dest.slot.i.0, label %unreachable.i [
    i32 2, label %for.end.i
    i32 1, label %lane_of_variable.exit
  ]

for.end.i:                                        ; preds = %cleanup10.i
  br label %lane_of_variable.exit

unreachable.i:                                    ; preds = %cleanup10.i
  unreachable

lane_of_variable.exit:                            ; preds = %if.then.i, %cleanup10.i, %for.end.i
  %retval.i.3 = phi i64 [ %sext, %if.then.i ], [ -1, %for.end.i ], [ %retval.i.1, %cleanup10.i ]
  %cmp = icmp eq i64 %retval.i.3, -1
  br i1 %cmp, label %if.then2, label %if.end4

if.then2:                                         ; preds = %lane_of_variable.exit
  call void @llvm.lifetime.start.p0(ptr nonnull %block.i) #5
  call void @em.run.block_find(ptr %place, ptr nonnull %block.i) #5
  br label %for.cond.i10

for.cond.i10:                                     ; preds = %cleanup.cont.i19, %if.then2
  %lane.i7.0 = phi i64 [ 0, %if.then2 ], [ %inc.i, %cleanup.cont.i19 ]
  %retval.i3.0 = phi i64 [ undef, %if.then2 ], [ %retval.i3.2, %cleanup.cont.i19 ]
  %serial.i11 = getelementptr inbounds nuw i8, ptr %block.i, i64 16
  %7 = load i64, ptr %serial.i11, align 8, !tbaa !9
  %tobool.i12.not = icmp eq i64 %7, 0
  br i1 %tobool.i12.not, label %cleanup4.i, label %land.rhs.i26

land.rhs.i26:                                     ; preds = %for.cond.i10
  %8 = load i64, ptr %lanes.i, align 8, !tbaa !31
  %cmp.i28 = icmp ult i64 %lane.i7.0, %8
  br i1 %cmp.i28, label %for.body.i15, label %cleanup4.i

for.body.i15:                                     ; preds = %land.rhs.i26
  %slots.i.i = getelementptr inbounds nuw i8, ptr %memory, i64 8
  %9 = load ptr, ptr %slots.i.i, align 8, !tbaa !12
  %tobool.i.i.not = icmp eq ptr %9, null
  br i1 %tobool.i.i.not, label %if.end.i16, label %if.end.i.i

if.end.i.i:                                       ; preds = %for.body.i15
  %10 = load ptr, ptr %block.i, align 8, !tbaa !13
  %11 = ptrtoint ptr %10 to i64
  %div.i111 = lshr i64 %11, 4
  %mul.i = mul i64 %div.i111, -7046029254386353131
  %shr.i = lshr i64 %mul.i, 20
  %mask.i = getelementptr inbounds nuw i8, ptr %memory, i64 16
  %12 = load i64, ptr %mask.i, align 8, !tbaa !14
  %and.i = and i64 %shr.i, %12
  %add.ptr.i60 = getelementptr inbounds nuw ptr, ptr %9, i64 %and.i
  br label %while.cond.i.i

while.cond.i.i:                                   ; preds = %while.body.i.i, %if.end.i.i
  %node.i.i.0.in = phi ptr [ %add.ptr.i60, %if.end.i.i ], [ %beside.i.i, %while.body.i.i ]
  %node.i.i.0 = load ptr, ptr %node.i.i.0.in, align 8, !tbaa !15
  %tobool1.i.i.not = icmp eq ptr %node.i.i.0, null
  br i1 %tobool1.i.i.not, label %if.end.i16, label %land.rhs.i.i

land.rhs.i.i:                                     ; preds = %while.cond.i.i
  %13 = load ptr, ptr %node.i.i.0, align 8, !tbaa !16
  %cmp.i.i.not = icmp eq ptr %13, %10
  br i1 %cmp.i.i.not, label %lor.lhs.false.i.i, label %while.body.i.i

lor.lhs.false.i.i:                                ; preds = %land.rhs.i.i
  %serial.i.i = getelementptr inbounds nuw i8, ptr %node.i.i.0, i64 16
  %14 = load i64, ptr %serial.i.i, align 8, !tbaa !18
  %cmp5.i.i.not = icmp eq i64 %14, %7
  br i1 %cmp5.i.i.not, label %lor.rhs.i.i, label %while.body.i.i

lor.rhs.i.i:                                      ; preds = %lor.lhs.false.i.i
  %lane6.i.i = getelementptr inbounds nuw i8, ptr %node.i.i.0, i64 24
  %15 = load i64, ptr %lane6.i.i, align 8, !tbaa !19
  %cmp7.i.i.not = icmp eq i64 %15, %lane.i7.0
  br i1 %cmp7.i.i.not, label %land.lhs.true.i20, label %while.body.i.i

while.body.i.i:                                   ; preds = %lor.lhs.false.i.i, %land.rhs.i.i, %lor.rhs.i.i
  %beside.i.i = getelementptr inbounds nuw i8, ptr %node.i.i.0, i64 48
  br label %while.cond.i.i, !llvm.loop !20

land.lhs.true.i20:                                ; preds = %lor.rhs.i.i
  %shadow2.i = getelementptr inbounds nuw i8, ptr %node.i.i.0, i64 32
  %16 = load ptr, ptr %shadow2.i, align 8, !tbaa !29
  %17 = load ptr, ptr %block.i, align 8, !tbaa !13
  %sub.ptr.lhs.cast.i21 = ptrtoint ptr %place to i64
  %sub.ptr.rhs.cast.i22 = ptrtoint ptr %17 to i64
  %sub.ptr.sub.i23 = sub i64 %sub.ptr.lhs.cast.i21, %sub.ptr.rhs.cast.i22
  %add.ptr.i24 = getelementptr inbounds i8, ptr %16, i64 %sub.ptr.sub.i23
  %cmp3.i = icmp eq ptr %add.ptr.i24, %shadow
  br i1 %cmp3.i, label %cleanup.i17, label %if.end.i16

if.end.i16:                                       ; preds = %for.body.i15, %while.cond.i.i, %land.lhs.true.i20
  br label %cleanup.i17

cleanup.i17:                                      ; preds = %land.lhs.true.i20, %if.end.i16
  %cond29 = phi i1 [ true, %if.end.i16 ], [ false, %land.lhs.true.i20 ]
  %retval.i3.2 = phi i64 [ %retval.i3.0, %if.end.i16 ], [ %lane.i7.0, %land.lhs.true.i20 ]
  br i1 %cond29, label %cleanup.cont.i19, label %cleanup4.i

cleanup.cont.i19:                                 ; preds = %cleanup.i17
  %inc.i = add i64 %lane.i7.0, 1
  br label %for.cond.i10, !llvm.loop !34

cleanup4.i:                                       ; preds = %for.cond.i10, %land.rhs.i26, %cleanup.i17
  %cleanup.dest.slot.i8.0 = phi i64 [ %retval.i3.2, %cleanup.i17 ], [ -1, %land.rhs.i26 ], [ -1, %for.cond.i10 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %block.i) #5
  br label %if.end4

if.end4:                                          ; preds = %cleanup4.i, %lane_of_variable.exit
  %lane.0 = phi i64 [ %cleanup.dest.slot.i8.0, %cleanup4.i ], [ %retval.i.3, %lane_of_variable.exit ]
  %cmp5 = icmp eq i64 %lane.0, -1
  br i1 %cmp5, label %return, label %if.end7

if.end7:                                          ; preds = %if.end4
  %call8 = call ptr @em.kept.shadow(ptr %memory, ptr %pointer, i64 %lane.0)
  %tobool9.not = icmp eq ptr %call8, null
  br i1 %tobool9.not, label %for.cond.i36, label %if.end12

for.cond.i36:                                     ; preds = %if.end7, %cleanup.cont.i52
  %node.i33.0.in = phi ptr [ %next.i53, %cleanup.cont.i52 ], [ %memory, %if.end7 ]
  %retval.i31.0 = phi ptr [ %retval.i31.2, %cleanup.cont.i52 ], [ undef, %if.end7 ]
  %node.i33.0 = load ptr, ptr %node.i33.0.in, align 8, !tbaa !15
  %tobool.i37.not = icmp eq ptr %node.i33.0, null
  br i1 %tobool.i37.not, label %cleanup5.i, label %for.body.i41

for.body.i41:                                     ; preds = %for.cond.i36
  %18 = load ptr, ptr %node.i33.0, align 8, !tbaa !16
  %sub.ptr.lhs.cast.i42 = ptrtoint ptr %pointer to i64
  %sub.ptr.rhs.cast.i43 = ptrtoint ptr %18 to i64
  %sub.ptr.sub.i44 = sub i64 %sub.ptr.lhs.cast.i42, %sub.ptr.rhs.cast.i43
  %serial.i45 = getelementptr inbounds nuw i8, ptr %node.i33.0, i64 16
  %19 = load i64, ptr %serial.i45, align 8, !tbaa !18
  %tobool1.i46.not = icmp eq i64 %19, 0
  br i1 %tobool1.i46.not, label %land.lhs.true.i47, label %cleanup.i50

land.lhs.true.i47:                                ; preds = %for.body.i41
  %lane2.i = getelementptr inbounds nuw i8, ptr %node.i33.0, i64 24
  %20 = load i64, ptr %lane2.i, align 8, !tbaa !19
  %cmp.i48 = icmp eq i64 %20, %lane.0
  br i1 %cmp.i48, label %land.lhs.true3.i, label %cleanup.i50

land.lhs.true3.i:                                 ; preds = %land.lhs.true.i47
  %size.i54 = getelementptr inbounds nuw i8, ptr %node.i33.0, i64 8
  %21 = load i64, ptr %size.i54, align 8, !tbaa !32
  %cmp4.i55 = icmp ult i64 %sub.ptr.sub.i44, %21
  br i1 %cmp4.i55, label %if.then.i56, label %cleanup.i50

if.then.i56:                                      ; preds = %land.lhs.true3.i
  %shadow.i = getelementptr inbounds nuw i8, ptr %node.i33.0, i64 32
  %22 = load ptr, ptr %shadow.i, align 8, !tbaa !29
  %add.ptr.i57 = getelementptr inbounds nuw i8, ptr %22, i64 %sub.ptr.sub.i44
  br label %cleanup.i50

cleanup.i50:                                      ; preds = %for.body.i41, %land.lhs.true.i47, %land.lhs.true3.i, %if.then.i56
  %cond58 = phi i1 [ false, %if.then.i56 ], [ true, %land.lhs.true3.i ], [ true, %land.lhs.true.i47 ], [ true, %for.body.i41 ]
  %cleanup.dest.slot.i34.1 = phi i32 [ 1, %if.then.i56 ], [ 0, %land.lhs.true3.i ], [ 0, %land.lhs.true.i47 ], [ 0, %for.body.i41 ]
  %retval.i31.2 = phi ptr [ %add.ptr.i57, %if.then.i56 ], [ %retval.i31.0, %land.lhs.true3.i ], [ %retval.i31.0, %land.lhs.true.i47 ], [ %retval.i31.0, %for.body.i41 ]
  br i1 %cond58, label %cleanup.cont.i52, label %cleanup5.i

cleanup.cont.i52:                                 ; preds = %cleanup.i50
  %next.i53 = getelementptr inbounds nuw i8, ptr %node.i33.0, i64 40
  br label %for.cond.i36, !llvm.loop !35

cleanup5.i:                                       ; preds = %for.cond.i36, %cleanup.i50
  %cleanup.dest.slot.i34.0 = phi i32 [ %cleanup.dest.slot.i34.1, %cleanup.i50 ], [ 2, %for.cond.i36 ]
  %retval.i31.1 = phi ptr [ %retval.i31.2, %cleanup.i50 ], [ %retval.i31.0, %for.cond.i36 ]
  switch i32 %cleanup.dest.slot.i34.0, label %unreachable.i40 [
    i32 2, label %for.end.i39
    i32 1, label %if.end12
  ]

for.end.i39:                                      ; preds = %cleanup5.i
  br label %if.end12

unreachable.i40:                                  ; preds = %cleanup5.i
  unreachable

if.end12:                                         ; preds = %for.end.i39, %cleanup5.i, %if.end7
  %found.0 = phi ptr [ %call8, %if.end7 ], [ null, %for.end.i39 ], [ %retval.i31.1, %cleanup5.i ]
  %tobool13.not = icmp eq ptr %found.0, null
  br i1 %tobool13.not, label %return, label %if.end15

if.end15:                                         ; preds = %if.end12
  store ptr %found.0, ptr %shadow, align 8, !tbaa !30
  br label %return

return:                                           ; preds = %if.end4, %if.end12, %if.end15, %entry
  %retval.0 = phi i64 [ 0, %entry ], [ 0, %if.end4 ], [ 8, %if.end15 ], [ 0, %if.end12 ]
  ret i64 %retval.0
}

define linkonce_odr void @em.kept.end(ptr %memory) #0 {
entry:
  %0 = load ptr, ptr %memory, align 8, !tbaa !26
  br label %for.cond

for.cond:                                         ; preds = %if.end9, %entry
  %node.0 = phi ptr [ %0, %entry ], [ %1, %if.end9 ]
  %tobool.not = icmp eq ptr %node.0, null
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %next1 = getelementptr inbounds nuw i8, ptr %node.0, i64 40
  %1 = load ptr, ptr %next1, align 8, !tbaa !36
  %serial = getelementptr inbounds nuw i8, ptr %node.0, i64 16
  %2 = load i64, ptr %serial, align 8, !tbaa !18
  %tobool2.not = icmp eq i64 %2, 0
  br i1 %tobool2.not, label %if.end9, label %land.lhs.true

land.lhs.true:                                    ; preds = %for.body
  %lane = getelementptr inbounds nuw i8, ptr %node.0, i64 24
  %3 = load i64, ptr %lane, align 8, !tbaa !19
  %tobool3.not = icmp eq i64 %3, 0
  br i1 %tobool3.not, label %if.then6, label %if.then

if.then:                                          ; preds = %land.lhs.true
  %4 = load ptr, ptr %node.0, align 8, !tbaa !16
  %shadow = getelementptr inbounds nuw i8, ptr %node.0, i64 32
  %5 = load ptr, ptr %shadow, align 8, !tbaa !29
  call void @em.shadow.free(ptr %4, ptr %5) #5
  br label %if.end9

if.then6:                                         ; preds = %land.lhs.true
  %6 = load ptr, ptr %node.0, align 8, !tbaa !16
  %shadow8 = getelementptr inbounds nuw i8, ptr %node.0, i64 32
  %7 = load ptr, ptr %shadow8, align 8, !tbaa !29
  call void @em.heap.release(ptr %6, ptr %7) #5
  br label %if.end9

if.end9:                                          ; preds = %for.body, %if.then6, %if.then
  call void @free(ptr nonnull %node.0) #5
  br label %for.cond, !llvm.loop !37

for.end:                                          ; preds = %for.cond
  %slots = getelementptr inbounds nuw i8, ptr %memory, i64 8
  %8 = load ptr, ptr %slots, align 8, !tbaa !12
  call void @free(ptr %8) #5
  ret void
}

declare void @em.shadow.free(ptr, ptr) #1

declare void @em.heap.release(ptr, ptr) #1

declare void @free(ptr) #1

define linkonce_odr void @em.kept.end.forward(ptr %memory) #0 {
entry:
  %block = alloca %struct.block, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %block) #5
  %0 = load ptr, ptr %memory, align 8, !tbaa !26
  br label %for.cond

for.cond:                                         ; preds = %if.end, %entry
  %node.0 = phi ptr [ %0, %entry ], [ %1, %if.end ]
  %tobool.not = icmp eq ptr %node.0, null
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %next1 = getelementptr inbounds nuw i8, ptr %node.0, i64 40
  %1 = load ptr, ptr %next1, align 8, !tbaa !36
  %2 = load ptr, ptr %node.0, align 8, !tbaa !16
  call void @em.run.block_find(ptr %2, ptr nonnull %block) #5
  %serial = getelementptr inbounds nuw i8, ptr %node.0, i64 16
  %3 = load i64, ptr %serial, align 8, !tbaa !18
  %tobool2.not = icmp ne i64 %3, 0
  %serial3 = getelementptr inbounds nuw i8, ptr %block, i64 16
  %4 = load i64, ptr %serial3, align 8
  %cmp = icmp eq i64 %4, %3
  %or.cond = select i1 %tobool2.not, i1 %cmp, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %for.body
  %5 = load ptr, ptr %node.0, align 8, !tbaa !16
  %shadow = getelementptr inbounds nuw i8, ptr %node.0, i64 32
  %6 = load ptr, ptr %shadow, align 8, !tbaa !29
  call void @em.shadow.free(ptr %5, ptr %6) #5
  br label %if.end

if.end:                                           ; preds = %if.then, %for.body
  call void @free(ptr nonnull %node.0) #5
  br label %for.cond, !llvm.loop !38

for.end:                                          ; preds = %for.cond
  %slots = getelementptr inbounds nuw i8, ptr %memory, i64 8
  %7 = load ptr, ptr %slots, align 8, !tbaa !12
  call void @free(ptr %7) #5
  call void @llvm.lifetime.end.p0(ptr nonnull %block) #5
  ret void
}

declare ptr @malloc(i64) #3

declare ptr @em.shadow.allocate(ptr, i64) #1

declare ptr @calloc(i64, i64) #4

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { allocsize(0) "no-trapping-math"="true" }
attributes #4 = { allocsize(0,1) "no-trapping-math"="true" }
attributes #5 = { nounwind }
attributes #6 = { nounwind allocsize(0,1) }
attributes #7 = { nounwind allocsize(0) }

!0 = !{!1, !8, i64 40}
!1 = !{!"memory", !2, i64 0, !6, i64 8, !8, i64 16, !8, i64 24, !8, i64 32, !8, i64 40}
!2 = !{!"p1 _ZTS4kept", !3, i64 0}
!3 = !{!"any pointer", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C/C++ TBAA"}
!6 = !{!"p2 _ZTS4kept", !7, i64 0}
!7 = !{!"any p2 pointer", !3, i64 0}
!8 = !{!"long", !4, i64 0}
!9 = !{!10, !8, i64 16}
!10 = !{!"block", !11, i64 0, !8, i64 8, !8, i64 16}
!11 = !{!"p1 omnipotent char", !3, i64 0}
!12 = !{!1, !6, i64 8}
!13 = !{!10, !11, i64 0}
!14 = !{!1, !8, i64 16}
!15 = !{!2, !2, i64 0}
!16 = !{!17, !11, i64 0}
!17 = !{!"kept", !11, i64 0, !8, i64 8, !8, i64 16, !8, i64 24, !11, i64 32, !2, i64 40, !2, i64 48}
!18 = !{!17, !8, i64 16}
!19 = !{!17, !8, i64 24}
!20 = distinct !{!20, !21}
!21 = !{!"llvm.loop.mustprogress"}
!22 = !{!1, !8, i64 24}
!23 = !{!17, !2, i64 48}
!24 = distinct !{!24, !21}
!25 = !{!10, !8, i64 8}
!26 = !{!1, !2, i64 0}
!27 = !{!11, !11, i64 0}
!28 = !{!8, !8, i64 0}
!29 = !{!17, !11, i64 32}
!30 = !{!3, !3, i64 0}
!31 = !{!1, !8, i64 32}
!32 = !{!17, !8, i64 8}
!33 = distinct !{!33, !21}
!34 = distinct !{!34, !21}
!35 = distinct !{!35, !21}
!36 = !{!17, !2, i64 40}
!37 = distinct !{!37, !21}
!38 = distinct !{!38, !21}
