package wire

import (
	"fmt"

	"github.com/mqhk/mqhk/plugins"
)

// picture writes a picture; one is a row, however much it holds.
func (e *planEncoder) picture(p *plugins.Picture) error {
	texts, items := pictureTexts(p)
	if err := e.row(items*rowSize, texts...); err != nil {
		return err
	}
	e.part.Pictures = append(e.part.Pictures, encodePicture(&e.table, p))
	return nil
}

// pictureTexts gives all texts of a picture and how many items it holds.
func pictureTexts(p *plugins.Picture) (texts []string, items int) {
	texts = []string{string(p.Kind), p.Title, p.Unit}
	for _, limit := range p.Limits {
		texts = append(texts, limit.Name)
	}
	for _, row := range p.Rows {
		texts = append(texts, row.Kind, row.Name, row.Text)
		for _, span := range row.Spans {
			texts = append(texts, string(span.State), span.Text)
		}
		items += len(row.Spans)
	}
	for _, point := range p.Points {
		texts = append(texts, point.Name, point.At, point.Verdict, point.State)
	}
	for _, mark := range p.Marks {
		texts = append(texts, mark.Kind, mark.At)
	}
	return texts, items + len(p.Values) + len(p.Limits) + len(p.Rows) + len(p.Points) + len(p.Marks)
}

func encodePicture(t *tableWriter, p *plugins.Picture) *Picture {
	picture := &Picture{
		Kind: t.ref(string(p.Kind)), Title: t.ref(p.Title), Unit: t.ref(p.Unit),
		From: EncodeTime(p.From), To: EncodeTime(p.To), Cut: int64(p.Cut), Hidden: int64(p.Hidden),
	}
	for _, v := range p.Values {
		picture.Values = append(picture.Values, &PictureValue{At: EncodeTime(v.At), Value: v.Value, Forecast: v.Forecast, Low: v.Low, High: v.High})
	}
	for _, limit := range p.Limits {
		picture.Limits = append(picture.Limits, &PictureLimit{Name: t.ref(limit.Name), Value: limit.Value})
	}
	for _, r := range p.Rows {
		row := &PictureRow{Kind: t.ref(r.Kind), Name: t.ref(r.Name), Text: t.ref(r.Text)}
		for _, s := range r.Spans {
			row.Spans = append(row.Spans, &PictureSpan{From: EncodeTime(s.From), To: EncodeTime(s.To), State: t.ref(string(s.State)), Text: t.ref(s.Text)})
		}
		picture.Rows = append(picture.Rows, row)
	}
	for _, point := range p.Points {
		picture.Points = append(picture.Points, &PicturePoint{
			Name: t.ref(point.Name), At: t.ref(point.At), Verdict: t.ref(point.Verdict), State: t.ref(point.State),
		})
	}
	for _, mark := range p.Marks {
		picture.Marks = append(picture.Marks, &PictureMark{Kind: t.ref(mark.Kind), Point: int64(mark.Point), At: t.ref(mark.At)})
	}
	return picture
}

// pictures reads the pictures of a part. More than a plan may hold, or values
// that are no numbers, make the plan worthless: a report is JSON, which has no
// word for them.
func (d *PlanDecoder) pictures(t *tableReader, pictures []*Picture) error {
	if len(d.plan.Pictures)+len(pictures) > plugins.MostPictures {
		return fmt.Errorf("the plan holds more than %d pictures", plugins.MostPictures)
	}
	for _, p := range pictures {
		picture, err := decodePicture(t, p)
		if err == nil {
			err = plugins.CheckPictures([]plugins.Picture{picture})
		}
		if err != nil {
			return err
		}
		d.plan.Pictures = append(d.plan.Pictures, picture)
	}
	return nil
}

func decodePicture(t *tableReader, p *Picture) (picture plugins.Picture, err error) {
	picture = plugins.Picture{
		Kind: plugins.PictureKind(t.text(p.GetKind())), Title: t.text(p.GetTitle()), Unit: t.text(p.GetUnit()),
		From: DecodeTime(p.GetFrom()), To: DecodeTime(p.GetTo()),
	}
	if picture.Cut, err = whole("cut", p.GetCut()); err != nil {
		return picture, err
	}
	if picture.Hidden, err = whole("hidden", p.GetHidden()); err != nil {
		return picture, err
	}
	for _, v := range p.GetValues() {
		picture.Values = append(picture.Values, plugins.PictureValue{
			At: DecodeTime(v.GetAt()), Value: v.GetValue(), Forecast: v.GetForecast(), Low: v.GetLow(), High: v.GetHigh(),
		})
	}
	for _, limit := range p.GetLimits() {
		picture.Limits = append(picture.Limits, plugins.PictureLimit{Name: t.text(limit.GetName()), Value: limit.GetValue()})
	}
	for _, r := range p.GetRows() {
		picture.Rows = append(picture.Rows, decodePictureRow(t, r))
	}
	for _, point := range p.GetPoints() {
		picture.Points = append(picture.Points, plugins.PicturePoint{
			Name: t.text(point.GetName()), At: t.text(point.GetAt()), Verdict: t.text(point.GetVerdict()), State: t.text(point.GetState()),
		})
	}
	for _, m := range p.GetMarks() {
		mark := plugins.PictureMark{Kind: t.text(m.GetKind()), At: t.text(m.GetAt())}
		if mark.Point, err = whole("point of a mark", m.GetPoint()); err != nil {
			return picture, err
		}
		picture.Marks = append(picture.Marks, mark)
	}
	return picture, nil
}

func decodePictureRow(t *tableReader, r *PictureRow) plugins.PictureRow {
	row := plugins.PictureRow{Kind: t.text(r.GetKind()), Name: t.text(r.GetName()), Text: t.text(r.GetText())}
	for _, s := range r.GetSpans() {
		row.Spans = append(row.Spans, plugins.PictureSpan{
			From: DecodeTime(s.GetFrom()), To: DecodeTime(s.GetTo()),
			State: plugins.SpanState(t.text(s.GetState())), Text: t.text(s.GetText()),
		})
	}
	return row
}
