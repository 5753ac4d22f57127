define linkonce_odr void @em.shadow.require(ptr %primal, ptr %shadow, ptr %text, ptr %file, i32 %line) #0 {
entry:
  %cmp = icmp ult ptr %shadow, inttoptr (i64 4194304 to ptr)
  %cmp1 = icmp uge ptr %shadow, inttoptr (i64 -4194304 to ptr)
  %or.cond = or i1 %cmp, %cmp1
  %cmp2 = icmp uge ptr %primal, inttoptr (i64 65536 to ptr)
  %or.cond2 = select i1 %or.cond, i1 %cmp2, i1 false
  br i1 %or.cond2, label %if.then, label %if.end

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
