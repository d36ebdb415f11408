package observe
import ("testing";"time";"fmt";"github.com/mqhk/mqhk/core/recovery")
func TestZZ(t *testing.T){
 for _, same := range []bool{false,true} { for _, num := range []bool{true,false} {
 var copies []recovery.Copy; listed := map[recovery.SegmentID]Receiver{}; var rs []Receiver
 base := time.Date(2026,1,1,0,0,0,0,time.UTC)
 for i:=0;i<20000;i++ { a,b:=base.Add(time.Duration(i)*time.Minute),base.Add(time.Duration(i+1)*time.Minute); if same {a,b=base,base}
  id:=recovery.SegmentID{QueueManager:"QM1",Library:"LIBA",Name:fmt.Sprintf("AMQA%06d",i)}
  c:=recovery.Copy{Segment:id,Store:"v",Opened:Stamp{a}.String(),Closed:Stamp{b}.String(),Verified:true}
  r:=Receiver{ID:id,Attach:Stamp{a},Detach:Stamp{b},State:recovery.Online}
  if num {c.From,c.To=fmt.Sprint(i*10+1),fmt.Sprint(i*10+10); r.First,r.Last=uint64(i*10+1),uint64(i*10+10)}
  copies=append(copies,c)
  if i>=10000 {rs=append(rs,r); listed[id]=r}
 }
 g:=&gatherer{target:theTarget,copies:copies,listed:listed,chain:chainOf{receivers:rs}}
 t0:=time.Now(); g.buildLine(); t.Log(same,num,time.Since(t0), len(g.facts.Inventory.Copies), len(g.facts.Inventory.Segments))
 }}
}
