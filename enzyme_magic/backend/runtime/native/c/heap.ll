define linkonce_odr ptr @em.shadow.allocate(ptr %primal, i64 %bytes) #0 {
entry:
  %tobool.not = icmp eq ptr %primal, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  %sub = add i64 %bytes, 127
  %and = and i64 %sub, -64
  %call = call noalias ptr @em.run.shadow_block(i64 64, i64 %and) #3
  call void @llvm.memset.p0.i64(ptr align 8 %call, i8 0, i64 %and, i1 false)
  %size = getelementptr inbounds nuw i8, ptr %call, i64 8
  store i64 %bytes, ptr %size, align 8, !tbaa !0
  %0 = ptrtoint ptr %primal to i64
  %xor = xor i64 %0, -7046029254386353131
  %mark = getelementptr inbounds nuw i8, ptr %call, i64 16
  store i64 %xor, ptr %mark, align 8, !tbaa !5
  %add.ptr = getelementptr inbounds nuw i8, ptr %call, i64 64
  br label %return

return:                                           ; preds = %entry, %if.end
  %retval.0 = phi ptr [ %add.ptr, %if.end ], [ null, %entry ]
  ret ptr %retval.0
}

declare noalias ptr @em.run.shadow_block(i64, i64) #1

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #2

define linkonce_odr i64 @em.heap.size(ptr %shadow) #0 {
entry:
  %size = getelementptr inbounds i8, ptr %shadow, i64 -56
  %0 = load i64, ptr %size, align 8, !tbaa !0
  ret i64 %0
}

define linkonce_odr void @em.shadow.free(ptr %primal, ptr %shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %primal, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  %mark = getelementptr inbounds i8, ptr %shadow, i64 -48
  store volatile i64 0, ptr %mark, align 8, !tbaa !6
  %add.ptr.i = getelementptr inbounds i8, ptr %shadow, i64 -64
  call void @free(ptr nonnull %add.ptr.i) #3
  br label %return

return:                                           ; preds = %entry, %if.end
  ret void
}

declare void @free(ptr) #1

define linkonce_odr void @em.heap.freed(ptr %primal, ptr %shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %primal, null
  br i1 %tobool.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  %add.ptr.i = getelementptr inbounds i8, ptr %shadow, i64 -64
  store i64 1, ptr %add.ptr.i, align 8, !tbaa !7
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret void
}

define linkonce_odr void @em.heap.release(ptr %primal, ptr %shadow) #0 {
entry:
  %tobool.not = icmp eq ptr %primal, null
  br i1 %tobool.not, label %return, label %if.end

if.end:                                           ; preds = %entry
  %add.ptr.i2 = getelementptr inbounds i8, ptr %shadow, i64 -64
  %0 = load i64, ptr %add.ptr.i2, align 8, !tbaa !7
  %tobool1.not = icmp eq i64 %0, 0
  br i1 %tobool1.not, label %if.end3, label %if.then2

if.then2:                                         ; preds = %if.end
  call void @free(ptr nonnull %primal) #3
  br label %if.end3

if.end3:                                          ; preds = %if.then2, %if.end
  call void @free(ptr nonnull %add.ptr.i2) #3
  br label %return

return:                                           ; preds = %entry, %if.end3
  ret void
}

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nounwind }

!0 = !{!1, !2, i64 8}
!1 = !{!"header", !2, i64 0, !2, i64 8, !2, i64 16, !3, i64 24}
!2 = !{!"long", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!1, !2, i64 16}
!6 = !{!2, !2, i64 0}
!7 = !{!1, !2, i64 0}
