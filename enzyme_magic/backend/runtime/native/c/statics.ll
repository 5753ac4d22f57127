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

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }

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
