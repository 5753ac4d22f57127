%struct.row = type { ptr, i64, ptr }

define linkonce_odr ptr @em.kept.static(ptr %pointer, ptr %table, i64 %count) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %for.inc, %entry
  %k.0 = phi i64 [ 0, %entry ], [ %inc4, %for.inc ]
  %hits.0 = phi i64 [ 0, %entry ], [ %hits.1, %for.inc ]
  %found.0 = phi ptr [ null, %entry ], [ %found.1, %for.inc ]
  %cmp.not = icmp eq i64 %k.0, %count
  br i1 %cmp.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds nuw %struct.row, ptr %table, i64 %k.0
  %0 = ptrtoint ptr %pointer to i64
  %1 = load ptr, ptr %add.ptr, align 8, !tbaa !0
  %2 = ptrtoint ptr %1 to i64
  %sub = sub i64 %0, %2
  %size = getelementptr inbounds nuw i8, ptr %add.ptr, i64 8
  %3 = load i64, ptr %size, align 8, !tbaa !7
  %cmp1.not = icmp ugt i64 %sub, %3
  br i1 %cmp1.not, label %for.inc, label %if.then

if.then:                                          ; preds = %for.body
  %shadow = getelementptr inbounds nuw i8, ptr %add.ptr, i64 16
  %4 = load ptr, ptr %shadow, align 8, !tbaa !8
  %tobool.not = icmp eq ptr %4, null
  %add.ptr3 = getelementptr inbounds nuw i8, ptr %4, i64 %sub
  %spec.select = select i1 %tobool.not, ptr null, ptr %add.ptr3
  %inc = add i64 %hits.0, 1
  br label %for.inc

for.inc:                                          ; preds = %for.body, %if.then
  %hits.1 = phi i64 [ %inc, %if.then ], [ %hits.0, %for.body ]
  %found.1 = phi ptr [ %spec.select, %if.then ], [ %found.0, %for.body ]
  %inc4 = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !9

for.end:                                          ; preds = %for.cond
  %cmp5 = icmp eq i64 %hits.0, 1
  %found.0. = select i1 %cmp5, ptr %found.0, ptr null
  ret ptr %found.0.
}

define linkonce_odr void @em.kept.variable(ptr %memory, ptr %start, i64 %size, ptr %shadow, i64 %lane) #0 {
entry:
  %call = call dereferenceable_or_null(56) ptr @malloc(i64 56) #3
  %0 = load ptr, ptr %memory, align 8, !tbaa !11
  store ptr %start, ptr %call, align 8, !tbaa !16
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 8
  store i64 %size, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 8, !tbaa !17
  %.compoundliteral.sroa.3.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 16
  store i64 0, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 8, !tbaa !17
  %.compoundliteral.sroa.4.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 24
  store i64 %lane, ptr %.compoundliteral.sroa.4.0..sroa_idx, align 8, !tbaa !17
  %.compoundliteral.sroa.5.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %shadow, ptr %.compoundliteral.sroa.5.0..sroa_idx, align 8, !tbaa !16
  %.compoundliteral.sroa.6.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 40
  store ptr %0, ptr %.compoundliteral.sroa.6.0..sroa_idx, align 8, !tbaa !18
  %.compoundliteral.sroa.7.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 48
  store ptr null, ptr %.compoundliteral.sroa.7.0..sroa_idx, align 8, !tbaa !18
  store ptr %call, ptr %memory, align 8, !tbaa !11
  %lanes = getelementptr inbounds nuw i8, ptr %memory, i64 32
  %1 = load i64, ptr %lanes, align 8, !tbaa !19
  %cmp.not = icmp ugt i64 %1, %lane
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %add = add i64 %lane, 1
  store i64 %add, ptr %lanes, align 8, !tbaa !19
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

declare ptr @malloc(i64) #1

define linkonce_odr i64 @em.kept.follow.static(ptr %memory, ptr %place, ptr %shadow, ptr %pointer) #0 {
entry:
  %0 = load ptr, ptr %shadow, align 8, !tbaa !20
  %cmp.i = icmp ult ptr %0, inttoptr (i64 4194304 to ptr)
  %cmp1.i = icmp uge ptr %0, inttoptr (i64 -4194304 to ptr)
  %or.cond = or i1 %cmp.i, %cmp1.i
  %cmp2.i = icmp uge ptr %pointer, inttoptr (i64 65536 to ptr)
  %spec.select = select i1 %or.cond, i1 %cmp2.i, i1 false
  br i1 %spec.select, label %if.end, label %return

if.end:                                           ; preds = %entry
  %lanes.i = getelementptr inbounds nuw i8, ptr %memory, i64 32
  %1 = load i64, ptr %lanes.i, align 8, !tbaa !19
  %cmp.i2 = icmp ult i64 %1, 2
  br i1 %cmp.i2, label %if.then.i, label %for.cond.i

if.then.i:                                        ; preds = %if.end
  %sext = add nsw i64 %1, -1
  br label %lane_of_variable.exit

for.cond.i:                                       ; preds = %if.end, %cleanup.cont.i
  %node.i.0.in = phi ptr [ %next.i, %cleanup.cont.i ], [ %memory, %if.end ]
  %retval.i.0 = phi i64 [ %retval.i.2, %cleanup.cont.i ], [ undef, %if.end ]
  %node.i.0 = load ptr, ptr %node.i.0.in, align 8, !tbaa !18
  %tobool2.i.not = icmp eq ptr %node.i.0, null
  br i1 %tobool2.i.not, label %cleanup10.i, label %for.body.i

for.body.i:                                       ; preds = %for.cond.i
  %2 = load ptr, ptr %node.i.0, align 8, !tbaa !21
  %sub.ptr.lhs.cast.i = ptrtoint ptr %place to i64
  %sub.ptr.rhs.cast.i = ptrtoint ptr %2 to i64
  %sub.ptr.sub.i = sub i64 %sub.ptr.lhs.cast.i, %sub.ptr.rhs.cast.i
  %serial.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 16
  %3 = load i64, ptr %serial.i, align 8, !tbaa !23
  %tobool3.i.not = icmp eq i64 %3, 0
  br i1 %tobool3.i.not, label %land.lhs.true.i, label %cleanup.i

land.lhs.true.i:                                  ; preds = %for.body.i
  %size.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 8
  %4 = load i64, ptr %size.i, align 8, !tbaa !24
  %cmp4.i = icmp ult i64 %sub.ptr.sub.i, %4
  br i1 %cmp4.i, label %land.lhs.true5.i, label %cleanup.i

land.lhs.true5.i:                                 ; preds = %land.lhs.true.i
  %shadow6.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 32
  %5 = load ptr, ptr %shadow6.i, align 8, !tbaa !25
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %5, i64 %sub.ptr.sub.i
  %cmp7.i = icmp eq ptr %add.ptr.i, %shadow
  br i1 %cmp7.i, label %if.then8.i, label %cleanup.i

if.then8.i:                                       ; preds = %land.lhs.true5.i
  %lane.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 24
  %6 = load i64, ptr %lane.i, align 8, !tbaa !26
  br label %cleanup.i

cleanup.i:                                        ; preds = %for.body.i, %land.lhs.true.i, %land.lhs.true5.i, %if.then8.i
  %cond3 = phi i1 [ false, %if.then8.i ], [ true, %land.lhs.true5.i ], [ true, %land.lhs.true.i ], [ true, %for.body.i ]
  %cleanup.dest.slot.i.1 = phi i32 [ 1, %if.then8.i ], [ 0, %land.lhs.true5.i ], [ 0, %land.lhs.true.i ], [ 0, %for.body.i ]
  %retval.i.2 = phi i64 [ %6, %if.then8.i ], [ %retval.i.0, %land.lhs.true5.i ], [ %retval.i.0, %land.lhs.true.i ], [ %retval.i.0, %for.body.i ]
  br i1 %cond3, label %cleanup.cont.i, label %cleanup10.i

cleanup.cont.i:                                   ; preds = %cleanup.i
  %next.i = getelementptr inbounds nuw i8, ptr %node.i.0, i64 40
  br label %for.cond.i, !llvm.loop !27

cleanup10.i:                                      ; preds = %for.cond.i, %cleanup.i
  %cleanup.dest.slot.i.0 = phi i32 [ %cleanup.dest.slot.i.1, %cleanup.i ], [ 2, %for.cond.i ]
  %retval.i.1 = phi i64 [ %retval.i.2, %cleanup.i ], [ %retval.i.0, %for.cond.i ]
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
  br i1 %cmp, label %cond.end, label %for.cond.i9

for.cond.i9:                                      ; preds = %lane_of_variable.exit, %cleanup.cont.i24
  %node.i6.0.in = phi ptr [ %next.i25, %cleanup.cont.i24 ], [ %memory, %lane_of_variable.exit ]
  %retval.i4.0 = phi ptr [ %retval.i4.2, %cleanup.cont.i24 ], [ undef, %lane_of_variable.exit ]
  %node.i6.0 = load ptr, ptr %node.i6.0.in, align 8, !tbaa !18
  %tobool.i10.not = icmp eq ptr %node.i6.0, null
  br i1 %tobool.i10.not, label %cleanup5.i, label %for.body.i14

for.body.i14:                                     ; preds = %for.cond.i9
  %7 = load ptr, ptr %node.i6.0, align 8, !tbaa !21
  %sub.ptr.lhs.cast.i15 = ptrtoint ptr %pointer to i64
  %sub.ptr.rhs.cast.i16 = ptrtoint ptr %7 to i64
  %sub.ptr.sub.i17 = sub i64 %sub.ptr.lhs.cast.i15, %sub.ptr.rhs.cast.i16
  %serial.i18 = getelementptr inbounds nuw i8, ptr %node.i6.0, i64 16
  %8 = load i64, ptr %serial.i18, align 8, !tbaa !23
  %tobool1.i.not = icmp eq i64 %8, 0
  br i1 %tobool1.i.not, label %land.lhs.true.i19, label %cleanup.i22

land.lhs.true.i19:                                ; preds = %for.body.i14
  %lane2.i = getelementptr inbounds nuw i8, ptr %node.i6.0, i64 24
  %9 = load i64, ptr %lane2.i, align 8, !tbaa !26
  %cmp.i20 = icmp eq i64 %9, %retval.i.3
  br i1 %cmp.i20, label %land.lhs.true3.i, label %cleanup.i22

land.lhs.true3.i:                                 ; preds = %land.lhs.true.i19
  %size.i26 = getelementptr inbounds nuw i8, ptr %node.i6.0, i64 8
  %10 = load i64, ptr %size.i26, align 8, !tbaa !24
  %cmp4.i27 = icmp ult i64 %sub.ptr.sub.i17, %10
  br i1 %cmp4.i27, label %if.then.i28, label %cleanup.i22

if.then.i28:                                      ; preds = %land.lhs.true3.i
  %shadow.i = getelementptr inbounds nuw i8, ptr %node.i6.0, i64 32
  %11 = load ptr, ptr %shadow.i, align 8, !tbaa !25
  %add.ptr.i29 = getelementptr inbounds nuw i8, ptr %11, i64 %sub.ptr.sub.i17
  br label %cleanup.i22

cleanup.i22:                                      ; preds = %for.body.i14, %land.lhs.true.i19, %land.lhs.true3.i, %if.then.i28
  %cond30 = phi i1 [ false, %if.then.i28 ], [ true, %land.lhs.true3.i ], [ true, %land.lhs.true.i19 ], [ true, %for.body.i14 ]
  %cleanup.dest.slot.i7.1 = phi i32 [ 1, %if.then.i28 ], [ 0, %land.lhs.true3.i ], [ 0, %land.lhs.true.i19 ], [ 0, %for.body.i14 ]
  %retval.i4.2 = phi ptr [ %add.ptr.i29, %if.then.i28 ], [ %retval.i4.0, %land.lhs.true3.i ], [ %retval.i4.0, %land.lhs.true.i19 ], [ %retval.i4.0, %for.body.i14 ]
  br i1 %cond30, label %cleanup.cont.i24, label %cleanup5.i

cleanup.cont.i24:                                 ; preds = %cleanup.i22
  %next.i25 = getelementptr inbounds nuw i8, ptr %node.i6.0, i64 40
  br label %for.cond.i9, !llvm.loop !28

cleanup5.i:                                       ; preds = %for.cond.i9, %cleanup.i22
  %cleanup.dest.slot.i7.0 = phi i32 [ %cleanup.dest.slot.i7.1, %cleanup.i22 ], [ 2, %for.cond.i9 ]
  %retval.i4.1 = phi ptr [ %retval.i4.2, %cleanup.i22 ], [ %retval.i4.0, %for.cond.i9 ]
  switch i32 %cleanup.dest.slot.i7.0, label %unreachable.i13 [
    i32 2, label %for.end.i12
    i32 1, label %cond.end
  ]

for.end.i12:                                      ; preds = %cleanup5.i
  br label %cond.end

unreachable.i13:                                  ; preds = %cleanup5.i
  unreachable

cond.end:                                         ; preds = %for.end.i12, %cleanup5.i, %lane_of_variable.exit
  %cond = phi ptr [ null, %lane_of_variable.exit ], [ null, %for.end.i12 ], [ %retval.i4.1, %cleanup5.i ]
  %tobool3.not = icmp eq ptr %cond, null
  br i1 %tobool3.not, label %return, label %if.end5

if.end5:                                          ; preds = %cond.end
  store ptr %cond, ptr %shadow, align 8, !tbaa !20
  br label %return

return:                                           ; preds = %if.end5, %cond.end, %entry
  %retval.0 = phi i64 [ 0, %entry ], [ 8, %if.end5 ], [ 0, %cond.end ]
  ret i64 %retval.0
}

define linkonce_odr void @em.kept.end.static(ptr %memory) #0 {
entry:
  %0 = load ptr, ptr %memory, align 8, !tbaa !11
  br label %for.cond

for.cond:                                         ; preds = %for.body, %entry
  %node.0 = phi ptr [ %0, %entry ], [ %1, %for.body ]
  %tobool.not = icmp eq ptr %node.0, null
  br i1 %tobool.not, label %for.end, label %for.body

for.body:                                         ; preds = %for.cond
  %next1 = getelementptr inbounds nuw i8, ptr %node.0, i64 40
  %1 = load ptr, ptr %next1, align 8, !tbaa !29
  call void @free(ptr nonnull %node.0) #4
  br label %for.cond, !llvm.loop !30

for.end:                                          ; preds = %for.cond
  ret void
}

declare void @free(ptr) #2

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { allocsize(0) "no-trapping-math"="true" }
attributes #2 = { "no-trapping-math"="true" }
attributes #3 = { nounwind allocsize(0) }
attributes #4 = { nounwind }

!0 = !{!1, !2, i64 0}
!1 = !{!"row", !2, i64 0, !6, i64 8, !2, i64 16}
!2 = !{!"p1 omnipotent char", !3, i64 0}
!3 = !{!"any pointer", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C/C++ TBAA"}
!6 = !{!"long", !4, i64 0}
!7 = !{!1, !6, i64 8}
!8 = !{!1, !2, i64 16}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!12, !13, i64 0}
!12 = !{!"memory", !13, i64 0, !14, i64 8, !6, i64 16, !6, i64 24, !6, i64 32, !6, i64 40}
!13 = !{!"p1 _ZTS4kept", !3, i64 0}
!14 = !{!"p2 _ZTS4kept", !15, i64 0}
!15 = !{!"any p2 pointer", !3, i64 0}
!16 = !{!2, !2, i64 0}
!17 = !{!6, !6, i64 0}
!18 = !{!13, !13, i64 0}
!19 = !{!12, !6, i64 32}
!20 = !{!3, !3, i64 0}
!21 = !{!22, !2, i64 0}
!22 = !{!"kept", !2, i64 0, !6, i64 8, !6, i64 16, !6, i64 24, !2, i64 32, !13, i64 40, !13, i64 48}
!23 = !{!22, !6, i64 16}
!24 = !{!22, !6, i64 8}
!25 = !{!22, !2, i64 32}
!26 = !{!22, !6, i64 24}
!27 = distinct !{!27, !10}
!28 = distinct !{!28, !10}
!29 = !{!22, !13, i64 40}
!30 = distinct !{!30, !10}
