define linkonce_odr void @em.shadow.require(ptr %primal, ptr %shadow, ptr %text, ptr %file, i32 %line) #0 {
entry:
  %0 = ptrtoint ptr %shadow to i64
  %add = add i64 %0, 4194304
  %cmp = icmp ult i64 %add, 8388608
  %cmp1 = icmp ugt ptr %primal, inttoptr (i64 65535 to ptr)
  %or.cond = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %or.cond, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  call void @em.run.kept(ptr %text, ptr %file, i32 %line) #2
  unreachable

if.end:                                           ; preds = %entry
  ret void
}

declare void @em.run.kept(ptr, ptr, i32) #1

attributes #0 = { nounwind uwtable(sync) "no-trapping-math"="true" }
attributes #1 = { cold noreturn "no-trapping-math"="true" }
attributes #2 = { cold noreturn nounwind }
