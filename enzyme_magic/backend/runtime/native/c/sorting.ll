define void @em.library.qsort(ptr %base, i64 %count, i64 %size, ptr %order) #0 {
entry:
  %cmp = icmp ult i64 %count, 2
  %cmp1 = icmp eq i64 %size, 0
  %or.cond = select i1 %cmp, i1 true, i1 %cmp1
  br i1 %or.cond, label %return, label %if.end

if.end:                                           ; preds = %entry
  %mul2 = shl i64 %count, 4
  %call = call ptr @malloc(i64 %mul2) #6
  %add.ptr = getelementptr inbounds nuw i64, ptr %call, i64 %count
  %mul3 = mul i64 %count, %size
  %call4 = call ptr @malloc(i64 %mul3) #6
  %tobool = icmp ne ptr %call, null
  %tobool6 = icmp ne ptr %call4, null
  %or.cond65 = select i1 %tobool, i1 %tobool6, i1 false
  br i1 %or.cond65, label %for.cond, label %if.then7

if.then7:                                         ; preds = %if.end
  call void @llvm.trap()
  unreachable

for.cond:                                         ; preds = %if.end, %for.body
  %k.0 = phi i64 [ %inc, %for.body ], [ 0, %if.end ]
  %cmp9 = icmp ult i64 %k.0, %count
  br i1 %cmp9, label %for.body, label %for.cond10

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw i64, ptr %call, i64 %k.0
  store i64 %k.0, ptr %arrayidx, align 8, !tbaa !0
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !4

for.cond10:                                       ; preds = %for.cond, %for.inc57
  %width.0 = phi i64 [ %mul58, %for.inc57 ], [ 1, %for.cond ]
  %merged.0 = phi ptr [ %places.0, %for.inc57 ], [ %add.ptr, %for.cond ]
  %places.0 = phi ptr [ %merged.0, %for.inc57 ], [ %call, %for.cond ]
  %cmp11 = icmp ult i64 %width.0, %count
  br i1 %cmp11, label %for.cond14, label %for.end59

for.cond14:                                       ; preds = %for.cond10, %for.inc53
  %low.0 = phi i64 [ %add55, %for.inc53 ], [ 0, %for.cond10 ]
  %cmp15 = icmp ult i64 %low.0, %count
  br i1 %cmp15, label %for.body17, label %for.inc57

for.body17:                                       ; preds = %for.cond14
  %add = add i64 %low.0, %width.0
  %cond = call i64 @llvm.umin.i64(i64 %add, i64 %count)
  %add20 = add i64 %cond, %width.0
  %cond26 = call i64 @llvm.umin.i64(i64 %add20, i64 %count)
  br label %for.cond27

for.cond27:                                       ; preds = %for.inc50, %for.body17
  %left.0 = phi i64 [ %low.0, %for.body17 ], [ %left.1, %for.inc50 ]
  %right.0 = phi i64 [ %cond, %for.body17 ], [ %right.1, %for.inc50 ]
  %to.0 = phi i64 [ %low.0, %for.body17 ], [ %inc51, %for.inc50 ]
  %cmp28 = icmp ult i64 %to.0, %cond26
  br i1 %cmp28, label %for.body30, label %for.inc53

for.body30:                                       ; preds = %for.cond27
  %cmp31 = icmp ult i64 %left.0, %cond
  br i1 %cmp31, label %land.lhs.true, label %if.else

land.lhs.true:                                    ; preds = %for.body30
  %cmp32.not = icmp ult i64 %right.0, %cond26
  br i1 %cmp32.not, label %lor.lhs.false33, label %if.then42

lor.lhs.false33:                                  ; preds = %land.lhs.true
  %arrayidx34 = getelementptr inbounds nuw i64, ptr %places.0, i64 %right.0
  %0 = load i64, ptr %arrayidx34, align 8, !tbaa !0
  %mul35 = mul i64 %0, %size
  %add.ptr36 = getelementptr inbounds nuw i8, ptr %base, i64 %mul35
  %arrayidx37 = getelementptr inbounds nuw i64, ptr %places.0, i64 %left.0
  %1 = load i64, ptr %arrayidx37, align 8, !tbaa !0
  %mul38 = mul i64 %1, %size
  %add.ptr39 = getelementptr inbounds nuw i8, ptr %base, i64 %mul38
  %call40 = call i32 %order(ptr %add.ptr36, ptr %add.ptr39) #7
  %cmp41 = icmp slt i32 %call40, 0
  br i1 %cmp41, label %if.else, label %if.then42

if.then42:                                        ; preds = %lor.lhs.false33, %land.lhs.true
  %inc43 = add i64 %left.0, 1
  %arrayidx44 = getelementptr inbounds nuw i64, ptr %places.0, i64 %left.0
  %2 = load i64, ptr %arrayidx44, align 8, !tbaa !0
  %arrayidx45 = getelementptr inbounds nuw i64, ptr %merged.0, i64 %to.0
  store i64 %2, ptr %arrayidx45, align 8, !tbaa !0
  br label %for.inc50

if.else:                                          ; preds = %lor.lhs.false33, %for.body30
  %inc46 = add i64 %right.0, 1
  %arrayidx47 = getelementptr inbounds nuw i64, ptr %places.0, i64 %right.0
  %3 = load i64, ptr %arrayidx47, align 8, !tbaa !0
  %arrayidx48 = getelementptr inbounds nuw i64, ptr %merged.0, i64 %to.0
  store i64 %3, ptr %arrayidx48, align 8, !tbaa !0
  br label %for.inc50

for.inc50:                                        ; preds = %if.then42, %if.else
  %left.1 = phi i64 [ %inc43, %if.then42 ], [ %left.0, %if.else ]
  %right.1 = phi i64 [ %right.0, %if.then42 ], [ %inc46, %if.else ]
  %inc51 = add i64 %to.0, 1
  br label %for.cond27, !llvm.loop !6

for.inc53:                                        ; preds = %for.cond27
  %mul54 = shl i64 %width.0, 1
  %add55 = add i64 %low.0, %mul54
  br label %for.cond14, !llvm.loop !7

for.inc57:                                        ; preds = %for.cond14
  %mul58 = shl i64 %width.0, 1
  br label %for.cond10, !llvm.loop !8

for.end59:                                        ; preds = %for.cond10
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %call4, ptr align 1 %base, i64 %mul3, i1 false)
  br label %for.cond62

for.cond62:                                       ; preds = %for.body65, %for.end59
  %k61.0 = phi i64 [ 0, %for.end59 ], [ %inc72, %for.body65 ]
  %cmp63 = icmp ult i64 %k61.0, %count
  br i1 %cmp63, label %for.body65, label %for.end73

for.body65:                                       ; preds = %for.cond62
  %mul66 = mul i64 %k61.0, %size
  %add.ptr67 = getelementptr inbounds nuw i8, ptr %base, i64 %mul66
  %arrayidx68 = getelementptr inbounds nuw i64, ptr %places.0, i64 %k61.0
  %4 = load i64, ptr %arrayidx68, align 8, !tbaa !0
  %mul69 = mul i64 %4, %size
  %add.ptr70 = getelementptr inbounds nuw i8, ptr %call4, i64 %mul69
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %add.ptr67, ptr nonnull align 1 %add.ptr70, i64 %size, i1 false)
  %inc72 = add i64 %k61.0, 1
  br label %for.cond62, !llvm.loop !9

for.end73:                                        ; preds = %for.cond62
  call void @free(ptr nonnull %call4) #7
  call void @free(ptr nonnull %call) #7
  br label %return

return:                                           ; preds = %entry, %for.end73
  ret void
}

declare ptr @malloc(i64) #1

declare void @llvm.trap() #2

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #3

declare void @free(ptr) #4

define void @em.library.qsort_r(ptr %base, i64 %count, i64 %size, ptr %order, ptr %more) #0 {
entry:
  %cmp = icmp ult i64 %count, 2
  %cmp1 = icmp eq i64 %size, 0
  %or.cond = select i1 %cmp, i1 true, i1 %cmp1
  br i1 %or.cond, label %return, label %if.end

if.end:                                           ; preds = %entry
  %mul2 = shl i64 %count, 4
  %call = call ptr @malloc(i64 %mul2) #6
  %add.ptr = getelementptr inbounds nuw i64, ptr %call, i64 %count
  %mul3 = mul i64 %count, %size
  %call4 = call ptr @malloc(i64 %mul3) #6
  %tobool = icmp ne ptr %call, null
  %tobool6 = icmp ne ptr %call4, null
  %or.cond65 = select i1 %tobool, i1 %tobool6, i1 false
  br i1 %or.cond65, label %for.cond, label %if.then7

if.then7:                                         ; preds = %if.end
  call void @llvm.trap()
  unreachable

for.cond:                                         ; preds = %if.end, %for.body
  %k.0 = phi i64 [ %inc, %for.body ], [ 0, %if.end ]
  %cmp9 = icmp ult i64 %k.0, %count
  br i1 %cmp9, label %for.body, label %for.cond10

for.body:                                         ; preds = %for.cond
  %arrayidx = getelementptr inbounds nuw i64, ptr %call, i64 %k.0
  store i64 %k.0, ptr %arrayidx, align 8, !tbaa !0
  %inc = add i64 %k.0, 1
  br label %for.cond, !llvm.loop !10

for.cond10:                                       ; preds = %for.cond, %for.inc57
  %width.0 = phi i64 [ %mul58, %for.inc57 ], [ 1, %for.cond ]
  %merged.0 = phi ptr [ %places.0, %for.inc57 ], [ %add.ptr, %for.cond ]
  %places.0 = phi ptr [ %merged.0, %for.inc57 ], [ %call, %for.cond ]
  %cmp11 = icmp ult i64 %width.0, %count
  br i1 %cmp11, label %for.cond14, label %for.end59

for.cond14:                                       ; preds = %for.cond10, %for.inc53
  %low.0 = phi i64 [ %add55, %for.inc53 ], [ 0, %for.cond10 ]
  %cmp15 = icmp ult i64 %low.0, %count
  br i1 %cmp15, label %for.body17, label %for.inc57

for.body17:                                       ; preds = %for.cond14
  %add = add i64 %low.0, %width.0
  %cond = call i64 @llvm.umin.i64(i64 %add, i64 %count)
  %add20 = add i64 %cond, %width.0
  %cond26 = call i64 @llvm.umin.i64(i64 %add20, i64 %count)
  br label %for.cond27

for.cond27:                                       ; preds = %for.inc50, %for.body17
  %left.0 = phi i64 [ %low.0, %for.body17 ], [ %left.1, %for.inc50 ]
  %right.0 = phi i64 [ %cond, %for.body17 ], [ %right.1, %for.inc50 ]
  %to.0 = phi i64 [ %low.0, %for.body17 ], [ %inc51, %for.inc50 ]
  %cmp28 = icmp ult i64 %to.0, %cond26
  br i1 %cmp28, label %for.body30, label %for.inc53

for.body30:                                       ; preds = %for.cond27
  %cmp31 = icmp ult i64 %left.0, %cond
  br i1 %cmp31, label %land.lhs.true, label %if.else

land.lhs.true:                                    ; preds = %for.body30
  %cmp32.not = icmp ult i64 %right.0, %cond26
  br i1 %cmp32.not, label %lor.lhs.false33, label %if.then42

lor.lhs.false33:                                  ; preds = %land.lhs.true
  %arrayidx34 = getelementptr inbounds nuw i64, ptr %places.0, i64 %right.0
  %0 = load i64, ptr %arrayidx34, align 8, !tbaa !0
  %mul35 = mul i64 %0, %size
  %add.ptr36 = getelementptr inbounds nuw i8, ptr %base, i64 %mul35
  %arrayidx37 = getelementptr inbounds nuw i64, ptr %places.0, i64 %left.0
  %1 = load i64, ptr %arrayidx37, align 8, !tbaa !0
  %mul38 = mul i64 %1, %size
  %add.ptr39 = getelementptr inbounds nuw i8, ptr %base, i64 %mul38
  %call40 = call i32 %order(ptr %add.ptr36, ptr %add.ptr39, ptr %more) #7
  %cmp41 = icmp slt i32 %call40, 0
  br i1 %cmp41, label %if.else, label %if.then42

if.then42:                                        ; preds = %lor.lhs.false33, %land.lhs.true
  %inc43 = add i64 %left.0, 1
  %arrayidx44 = getelementptr inbounds nuw i64, ptr %places.0, i64 %left.0
  %2 = load i64, ptr %arrayidx44, align 8, !tbaa !0
  %arrayidx45 = getelementptr inbounds nuw i64, ptr %merged.0, i64 %to.0
  store i64 %2, ptr %arrayidx45, align 8, !tbaa !0
  br label %for.inc50

if.else:                                          ; preds = %lor.lhs.false33, %for.body30
  %inc46 = add i64 %right.0, 1
  %arrayidx47 = getelementptr inbounds nuw i64, ptr %places.0, i64 %right.0
  %3 = load i64, ptr %arrayidx47, align 8, !tbaa !0
  %arrayidx48 = getelementptr inbounds nuw i64, ptr %merged.0, i64 %to.0
  store i64 %3, ptr %arrayidx48, align 8, !tbaa !0
  br label %for.inc50

for.inc50:                                        ; preds = %if.then42, %if.else
  %left.1 = phi i64 [ %inc43, %if.then42 ], [ %left.0, %if.else ]
  %right.1 = phi i64 [ %right.0, %if.then42 ], [ %inc46, %if.else ]
  %inc51 = add i64 %to.0, 1
  br label %for.cond27, !llvm.loop !11

for.inc53:                                        ; preds = %for.cond27
  %mul54 = shl i64 %width.0, 1
  %add55 = add i64 %low.0, %mul54
  br label %for.cond14, !llvm.loop !12

for.inc57:                                        ; preds = %for.cond14
  %mul58 = shl i64 %width.0, 1
  br label %for.cond10, !llvm.loop !13

for.end59:                                        ; preds = %for.cond10
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 1 %call4, ptr align 1 %base, i64 %mul3, i1 false)
  br label %for.cond62

for.cond62:                                       ; preds = %for.body65, %for.end59
  %k61.0 = phi i64 [ 0, %for.end59 ], [ %inc72, %for.body65 ]
  %cmp63 = icmp ult i64 %k61.0, %count
  br i1 %cmp63, label %for.body65, label %for.end73

for.body65:                                       ; preds = %for.cond62
  %mul66 = mul i64 %k61.0, %size
  %add.ptr67 = getelementptr inbounds nuw i8, ptr %base, i64 %mul66
  %arrayidx68 = getelementptr inbounds nuw i64, ptr %places.0, i64 %k61.0
  %4 = load i64, ptr %arrayidx68, align 8, !tbaa !0
  %mul69 = mul i64 %4, %size
  %add.ptr70 = getelementptr inbounds nuw i8, ptr %call4, i64 %mul69
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %add.ptr67, ptr nonnull align 1 %add.ptr70, i64 %size, i1 false)
  %inc72 = add i64 %k61.0, 1
  br label %for.cond62, !llvm.loop !14

for.end73:                                        ; preds = %for.cond62
  call void @free(ptr nonnull %call4) #7
  call void @free(ptr nonnull %call) #7
  br label %return

return:                                           ; preds = %entry, %for.end73
  ret void
}

define ptr @em.library.bsearch(ptr %key, ptr %base, i64 %count, i64 %size, ptr %order) #0 {
entry:
  br label %for.cond

for.cond:                                         ; preds = %cleanup, %entry
  %high.0 = phi i64 [ %count, %entry ], [ %high.1, %cleanup ]
  %low.0 = phi i64 [ 0, %entry ], [ %low.1, %cleanup ]
  %retval.0 = phi ptr [ undef, %entry ], [ %retval.2, %cleanup ]
  %cmp = icmp ult i64 %low.0, %high.0
  br i1 %cmp, label %for.body, label %cleanup8

for.body:                                         ; preds = %for.cond
  %add = add i64 %low.0, %high.0
  %div8 = lshr i64 %add, 1
  %mul = mul i64 %div8, %size
  %add.ptr = getelementptr inbounds nuw i8, ptr %base, i64 %mul
  %call = call i32 %order(ptr %key, ptr %add.ptr) #7
  %cmp1.not = icmp eq i32 %call, 0
  br i1 %cmp1.not, label %cleanup, label %if.end

if.end:                                           ; preds = %for.body
  %cmp2 = icmp slt i32 %call, 0
  %add4 = add nuw i64 %div8, 1
  %high.2 = select i1 %cmp2, i64 %div8, i64 %high.0
  %low.2 = select i1 %cmp2, i64 %low.0, i64 %add4
  br label %cleanup

cleanup:                                          ; preds = %for.body, %if.end
  %cleanup.dest.slot.1 = phi i32 [ 0, %if.end ], [ 1, %for.body ]
  %high.1 = phi i64 [ %high.2, %if.end ], [ %high.0, %for.body ]
  %low.1 = phi i64 [ %low.2, %if.end ], [ %low.0, %for.body ]
  %retval.2 = phi ptr [ %retval.0, %if.end ], [ %add.ptr, %for.body ]
  br i1 %cmp1.not, label %cleanup8, label %for.cond, !llvm.loop !15

cleanup8:                                         ; preds = %for.cond, %cleanup
  %cleanup.dest.slot.0 = phi i32 [ %cleanup.dest.slot.1, %cleanup ], [ 2, %for.cond ]
  %retval.1 = phi ptr [ %retval.2, %cleanup ], [ %retval.0, %for.cond ]
  switch i32 %cleanup.dest.slot.0, label %unreachable [
    i32 2, label %for.end
    i32 1, label %return
  ]

for.end:                                          ; preds = %cleanup8
  br label %return

return:                                           ; preds = %for.end, %cleanup8
  %retval.3 = phi ptr [ null, %for.end ], [ %retval.1, %cleanup8 ]
  ret ptr %retval.3

unreachable:                                      ; preds = %cleanup8
  unreachable
}

declare i64 @llvm.umin.i64(i64, i64) #5

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { allocsize(0) "no-trapping-math"="true" }
attributes #2 = { cold noreturn nounwind memory(inaccessiblemem: write) }
attributes #3 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { "no-trapping-math"="true" }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nounwind allocsize(0) }
attributes #7 = { nounwind }

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
!9 = distinct !{!9, !5}
!10 = distinct !{!10, !5}
!11 = distinct !{!11, !5}
!12 = distinct !{!12, !5}
!13 = distinct !{!13, !5}
!14 = distinct !{!14, !5}
!15 = distinct !{!15, !5}
